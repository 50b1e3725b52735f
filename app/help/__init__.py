"""Help: pages about everything in the catalog, a window to read them in, and words for each control."""

from app.help.formulas import FormulaError as FormulaError
from app.help.formulas import formula_svg as formula_svg
from app.help.html import section_html as section_html
from app.help.pages import HelpPage as HelpPage
from app.help.pages import page as page
