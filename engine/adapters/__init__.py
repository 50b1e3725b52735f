"""Our mechanisms as parts of other libraries: a measurement of OpenDP, estimators of scikit-learn."""
