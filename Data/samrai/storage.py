# SPDX-License-Identifier: BSD-3-Clause
"""How arrays lie in HDF5 files. h5py's low level is used throughout: it alone sets member offsets, string padding and
filter pipelines exactly, and large arrays go to the file without a conversion."""

import ctypes
import ctypes.util
import itertools
import struct
from dataclasses import dataclass

import numpy
from h5py import h5a, h5d, h5f, h5p, h5s, h5t, h5z

ALL = h5s.ALL
# What SAMRAI's database notes beside its arrays.
DATABASE_TYPES = {"f8": 5, "f4": 6, "i4": 7}
STRINGS = 8
SHUFFLE, DEFLATE, FLETCHER32, LZ4, ZSTD = h5z.FILTER_SHUFFLE, h5z.FILTER_DEFLATE, h5z.FILTER_FLETCHER32, 32004, 32015
FILTERS = {"shuffle": SHUFFLE, "deflate": DEFLATE, "fletcher32": FLETCHER32, "lz4": LZ4, "zstd": ZSTD}
LZ4_BLOCK_BYTES = 1 << 30


@dataclass(frozen=True)
class Storage:
    layout: str = "contiguous"  # or "chunked", "compact"
    filters: tuple = ()  # in the order of the pipeline
    chunk: int = 4096  # elements at most
    larger_than: int = 128  # arrays with fewer elements are contiguous, whatever the layout
    level: int = 5  # of deflate
    rank: int = 1  # fields may have the rank of the mesh
    fill: float = 0.0

    def __post_init__(self):
        if self.filters and self.layout != "chunked":
            raise ValueError("filters need --storage chunked")
        for name in self.filters:
            if name not in FILTERS:
                raise ValueError(f"unknown filter '{name}': choose of {', '.join(FILTERS)}")
        if self.compressed_here() and set(self.filters) - {"shuffle", "lz4", "zstd"}:
            raise ValueError("lz4 and zstd go together with shuffle only")

    def compressed_here(self):
        """HDF5 itself does not know these; their chunks are made here."""
        return bool({"lz4", "zstd"}.intersection(self.filters))

    def chunk_of(self, shape):
        if len(shape) == 1:
            return (min(self.chunk, shape[0]),)
        return tuple(min(8, side) for side in shape)


PLAIN = Storage()


class Times:
    """Whether datasets get the time when they were made, as HDF5 does by default: then no two dumps are the same."""
    kept = False


def creation():
    properties = h5p.create(h5p.DATASET_CREATE)
    properties.set_obj_track_times(Times.kept)
    return properties


def create_file(path, newest=False):
    """Superblock 0 and symbol-table groups, as the default settings of HDF5 make them; or what came after them."""
    access = h5p.create(h5p.FILE_ACCESS)
    access.set_libver_bounds(h5f.LIBVER_LATEST if newest else h5f.LIBVER_EARLIEST, h5f.LIBVER_LATEST)
    access.set_fclose_degree(h5f.CLOSE_STRONG)
    return h5f.create(str(path).encode(), h5f.ACC_TRUNC, fapl=access)


def file_type(kind, order):
    """A NumPy type such as f4 with the byte order "big" or "little"."""
    return numpy.dtype(kind).newbyteorder(">" if order == "big" else "<")


def note_type(dataset, number):
    attribute = h5a.create(dataset, b"Type", h5t.STD_I8BE, h5s.create(h5s.SCALAR))
    attribute.write(numpy.array(number, "i1"))


def creation_list(shape, count, storage):
    properties = creation()
    if count <= storage.larger_than or storage.layout == "contiguous":
        return properties
    if storage.layout == "compact":
        properties.set_layout(h5d.COMPACT)
        return properties
    properties.set_chunk(storage.chunk_of(shape))
    for name in storage.filters:
        if name == "deflate":
            properties.set_deflate(storage.level)
        elif name == "shuffle":
            properties.set_shuffle()
        elif name == "fletcher32":
            properties.set_fletcher32()
        else:
            properties.set_filter(FILTERS[name], h5z.FLAG_OPTIONAL, ())
    return properties


def write_array(group, name, values, storage=PLAIN, database=True, written=True):
    """Values in the type and shape that they get in the file; `database` adds what SAMRAI's database adds."""
    values = numpy.ascontiguousarray(values)
    kind = h5t.py_create(values.dtype)
    properties = creation_list(values.shape, values.size, storage)
    if storage.fill:
        properties.set_fill_value(numpy.array(storage.fill, values.dtype))
    dataset = h5d.create(group, name.encode(), kind, h5s.create_simple(values.shape), properties)
    number = DATABASE_TYPES.get(values.dtype.str[1:])
    if database and number:
        note_type(dataset, number)
    if not written:
        return
    if properties.get_layout() == h5d.CHUNKED and storage.compressed_here():
        write_own_chunks(dataset, values, storage)
    else:
        dataset.write(ALL, ALL, values, kind)


def write_own_chunks(dataset, values, storage):
    chunk = storage.chunk_of(values.shape)
    for corner in itertools.product(*(range(0, side, step) for side, step in zip(values.shape, chunk))):
        whole = numpy.zeros(chunk, values.dtype)  # edge chunks are stored whole
        part = values[tuple(slice(start, start + step) for start, step in zip(corner, chunk))]
        whole[tuple(slice(side) for side in part.shape)] = part
        block = whole.tobytes()
        for name in storage.filters:
            block = {"shuffle": lambda raw: shuffled(raw, values.itemsize), "lz4": lz4, "zstd": zstd}[name](block)
        dataset.write_direct_chunk(corner, block, 0)


def shuffled(block, size):
    return numpy.frombuffer(block, "u1").reshape(-1, size).T.tobytes()


def library(name):
    found = ctypes.util.find_library(name)
    if not found:
        raise ValueError(f"lib{name} is not installed: apt-get install lib{name}-1, or choose another filter")
    return ctypes.CDLL(found)


def lz4(block):
    """The layout of the registered filter: whole size, size of blocks, then one block with its packed size."""
    codec = library("lz4")
    room = ctypes.create_string_buffer(codec.LZ4_compressBound(len(block)))
    size = codec.LZ4_compress_default(block, room, len(block), len(room))
    packed = room.raw[:size] if 0 < size < len(block) else block
    return struct.pack(">QII", len(block), min(len(block), LZ4_BLOCK_BYTES), len(packed)) + packed


def zstd(block):
    codec = library("zstd")
    codec.ZSTD_compressBound.restype = codec.ZSTD_compress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(codec.ZSTD_compressBound(ctypes.c_size_t(len(block))))
    size = codec.ZSTD_compress(room, ctypes.c_size_t(len(room)), block, ctypes.c_size_t(len(block)), 3)
    return room.raw[:size]


def string_type(size):
    kind = h5t.C_S1.copy()
    kind.set_size(size)
    kind.set_strpad(h5t.STR_NULLTERM)
    return kind


def write_strings(group, name, strings):
    texts = [text.encode() for text in strings]
    size = max(len(text) for text in texts) + 1
    kind = string_type(size)
    dataset = h5d.create(group, name.encode(), kind, h5s.create_simple((len(texts),)), creation())
    dataset.write(ALL, ALL, numpy.array(texts, f"S{size}"), kind)
    note_type(dataset, STRINGS)


@dataclass(frozen=True)
class Compound:
    """Members in the order in which HDF5 lists them: name, NumPy type, offset."""
    size: int
    members: tuple

    def dtype(self):
        names, kinds, offsets = zip(*self.members)
        return numpy.dtype({"names": names, "formats": kinds, "offsets": offsets, "itemsize": self.size})

    def hdf5_type(self):
        kind = h5t.create(h5t.COMPOUND, self.size)
        for name, member, offset in self.members:
            kind.insert(name.encode(), offset, h5t.py_create(numpy.dtype(member)))
        return kind

    def write(self, group, name, rows):
        """Rows are tuples in the order of the members."""
        values = numpy.zeros(len(rows), self.dtype())
        for (member, _, _), column in zip(self.members, zip(*rows)):
            values[member] = column
        kind = self.hdf5_type()
        dataset = h5d.create(group, name.encode(), kind, h5s.create_simple((len(rows),)), creation())
        if len(rows):
            dataset.write(ALL, ALL, values, kind)
