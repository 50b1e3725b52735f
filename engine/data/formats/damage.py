"""What is said of files that a library cannot read."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from engine.errors import DataError


@contextlib.contextmanager
def refusing_damage(source: str) -> Iterator[None]:
    """Turn what pyarrow says of a damaged file into `DataError`."""
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError:
        raise DataError(
            "it is gone, or not at this place on another machine; put it there again", source=source
        ) from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise DataError(
            "it is damaged; get the whole file again", confidential=reason, source=source
        ) from None
