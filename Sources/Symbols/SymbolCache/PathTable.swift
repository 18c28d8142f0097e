internal import Bytes
internal import DWARF

/// The source files that a part of the cache names, numbered from 1 in the order in which they are
/// first met.
struct PathTable: ~Copyable, Sendable {
  /// For each file of the object its number; 0 until it is asked for.
  private var numbers: Table<UInt32>
  /// The files of the object by number.
  private(set) var files = Table<UInt32>()

  /// - Parameter fileCount: Of the object.
  init(fileCount: Int) { numbers = Table(repeating: 0, count: fileCount + 1) }

  /// The number of a file of the object, which counts from 1; 0 for none.
  @inline(__always)
  mutating func number(of file: UInt32) -> UInt32 {
    guard file > 0, Int(file) < numbers.count else { return 0 }
    let known = numbers[Int(file)]
    if known != 0 { return known }
    files.append(file)
    let number = UInt32(truncatingIfNeeded: files.count)
    numbers[Int(file)] = number
    return number
  }

  /// The number that a file of the object has; 0 for none.
  @inline(__always)
  func known(_ file: UInt32) -> UInt32 { Int(file) < numbers.count ? numbers[Int(file)] : 0 }

  /// Appends offset and length of each path in `strings`, which takes in what is new.
  func write(
    _ paths: borrowing FileTable, into section: inout Table<UInt8>, strings: inout StringPool
  ) {
    let bytes = unsafe paths.bytes.span.bytes
    for index in 0..<files.count {
      let range = paths.range(of: Int(files[index]) - 1)
      let entry = strings.entry(of: bytes, from: range.lowerBound, count: range.count)
      section.put(entry?.offset ?? 0)
      section.put(entry?.count ?? 0)
    }
  }
}
