"""Archives that are equal whenever their contents are: sorted, of one date, and owned by root."""

import contextlib
import gzip
import io
import os
import tarfile
import time
import zipfile


class Entry:
    """A file, a folder (`data` None) or a link of an archive."""

    def __init__(self, name, data, mode=0o644, owner=0, link=None):
        self.name = name
        self.data = data
        self.mode = mode
        self.owner = owner
        self.link = link


def entries_of(directory, prefix="", owner=0):
    """What is in a directory, with names that begin with `prefix`."""
    found = []
    for folder, folders, names in os.walk(directory):
        for name in folders + names:
            path = os.path.join(folder, name)
            inside = prefix + os.path.relpath(path, directory)
            if os.path.islink(path):
                found.append(Entry(inside, None, 0o777, owner, os.readlink(path)))
            elif os.path.isdir(path):
                found.append(Entry(inside, None, 0o755, owner))
            else:
                found.append(Entry(inside, read(path), 0o755 if os.access(path, os.X_OK) else 0o644, owner))
    return found


def read(path):
    with open(path, "rb") as file:
        return file.read()


def tar(entries, epoch):
    """An uncompressed archive."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for entry in sorted(entries, key=lambda entry: entry.name):
            info = tarfile.TarInfo(entry.name)
            info.mtime, info.mode, info.uid, info.gid = epoch, entry.mode, entry.owner, entry.owner
            if entry.link is not None:
                info.type, info.linkname = tarfile.SYMTYPE, entry.link
                archive.addfile(info)
            elif entry.data is None:
                info.type = tarfile.DIRTYPE
                archive.addfile(info)
            else:
                info.size = len(entry.data)
                archive.addfile(info, io.BytesIO(entry.data))
    return buffer.getvalue()


def gzipped(data):
    """Without a name and a date."""
    return gzip.compress(data, 9, mtime=0)


def zipped(entries, epoch, first=()):
    """The names in `first` come first, as some readers expect it of a jar."""
    rank = {name: place for place, name in enumerate(first)}
    # The format has no dates before 1980.
    date = time.gmtime(max(epoch, 315_532_800))[:6]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for entry in sorted(entries, key=lambda entry: (rank.get(entry.name, len(rank)), entry.name)):
            if entry.data is None:
                continue
            info = zipfile.ZipInfo(entry.name, date)
            info.create_system = 3
            info.external_attr = (0o100000 | entry.mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, entry.data, compresslevel=9)
    return buffer.getvalue()


@contextlib.contextmanager
def replaced(path):
    """A path to write to, which takes the place of `path` once it is complete."""
    unfinished = f"{path}.unfinished"
    yield unfinished
    os.replace(unfinished, path)
