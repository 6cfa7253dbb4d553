"""Arrays of numpy (npy, npz) and of safetensors: what is in a file, by name.

>>> import io
>>> file = io.BytesIO()
>>> np.savez(file, id=np.array(["cat", "dog"]), layer=np.eye(2))
>>> {name: array.shape for name, array in arrays_of("model.npz", file.getvalue()).items()}
{'id': (2,), 'layer': (2, 2)}

Pickled objects are never loaded, and an archive that unpacks to far more than it is, is refused.
"""

from __future__ import annotations

import io
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from finegrain.errors import InputError
from finegrain.formats.archives import LARGE, RATIO, SIZE
from finegrain.formats.safetensors import begins_as, read_arrays

if TYPE_CHECKING:
    import zipfile

NPY = b"\x93NUMPY"
ZIP = b"PK\x03\x04"
ALONE = ""
"""The name of an array that has none: that of a npy file."""
_MEND = "Check how it was written."
_PICKLED = "Save numbers or strings of one length (dtype U): objects are not loaded."


def is_binary(data: bytes | bytearray) -> bool:
    """Whether bytes begin as a file of arrays does."""
    return data.startswith((NPY, ZIP)) or begins_as(data[:9])


def arrays_of(name: str, data: bytes | bytearray) -> dict[str, NDArray[Any]]:
    """All arrays of a file by name."""
    if data.startswith(NPY):
        return {ALONE: _npy(name, ALONE, bytes(data))}
    if data.startswith(ZIP):
        return _npz(name, bytes(data))
    return read_arrays(name, data)


def _npy(name: str, key: str, data: bytes) -> NDArray[Any]:
    what = f"the array {key[:40]!r}" if key else "the array"
    if not data.startswith(NPY):
        raise InputError.at(name, 0, f"{what} is not an npy file", _MEND)
    try:
        found = np.load(io.BytesIO(data), allow_pickle=False)
    except ValueError as error:
        pickled = "allow_pickle" in str(error)
        told = f"{what} holds Python objects" if pickled else f"{what} is damaged or incomplete"
        raise InputError.at(name, 0, told, _PICKLED if pickled else _MEND) from None
    except (EOFError, MemoryError, OSError, OverflowError, SyntaxError, TypeError):
        raise InputError.at(name, 0, f"{what} is damaged or incomplete", _MEND) from None
    return np.asarray(found)


def _npz(name: str, data: bytes) -> dict[str, NDArray[Any]]:
    import zipfile  # noqa: PLC0415 - slow to import

    found = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _require_sensible(name, members, len(data))
            for member in members:
                key = member.filename.removesuffix(".npy")
                if key in found:
                    raise InputError.at(name, 0, f"two arrays are called {key[:40]!r}", _MEND)
                found[key] = _npy(name, key, archive.read(member))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError):
        raise InputError.at(name, 0, "the npz file is damaged or incomplete", _MEND) from None
    if not found:
        raise InputError.at(name, 0, "the npz file holds no array", _MEND)
    return found


def _require_sensible(name: str, members: list[zipfile.ZipInfo], size: int) -> None:
    """Refuse what unpacks to more than anybody can hold."""
    total = sum(member.file_size for member in members)
    if total > SIZE or (total > LARGE and total > RATIO * size):
        what = f"{size:,} bytes unpack to {total:,}, which is too much"
        raise InputError.at(name, 0, what, _MEND)
