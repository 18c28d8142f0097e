/// The format of the child's pipe: one record after the other, each a byte of this kind and its
/// fields. Numbers are unsigned LEB128; texts a length and the bytes.
///
///     hello     the SANDBOX_ bits in force
///     section   name, linked address, size
///     symbol    name, value, size, type
///     buildID   bytes
///     name      text: the next number, from 1, that functions and calls are named by
///     path      text: the next number, from 1, that files have
///     unit      offset of its root entry
///     function  offset of its entry, name, count of ranges, start and length of each
///     call      what it lies in (functions and calls are numbered from 0, in the order of their
///               records), name, path, line and column of the call, ranges as above
///     row       address, path, line, column
///     end       address: of the byte after the rows since the last end
///     problem   offset, text: what could not be read
///     done      nothing more is to come
///
/// A stream that ends without `done` was cut off by the death of its writer.
enum ReferenceRecord: UInt8 {
  case hello = 1
  case section, symbol, buildID, name, path, unit, function, call, row, end, problem, done

  /// The path of a row that has one which the child cannot tell.
  static let unknownPath = UInt64(UInt32.max)
}
