"""Fields of protobuf messages."""


def fields(data, padded=False):
    """The fields of a message: (number, value). If padded, zeros may follow."""
    position = 0

    def varint():
        nonlocal position
        value = shift = 0
        while True:
            byte = data[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value & (1 << 64) - 1

    while position < len(data):
        key = varint()
        if padded and key == 0:
            return
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            yield key >> 3, int.from_bytes(data[position:position + size], "little")
            position += size
        elif kind == 2:
            length = varint()
            if position + length > len(data):
                raise ValueError("cut")
            yield key >> 3, data[position:position + length]
            position += length
        else:
            raise ValueError("kind %d" % kind)


def members(data):
    """The last value of each field."""
    return dict(fields(data))
