internal import Bytes

/// Crashpad's stream of a minidump: the client's id, and the annotations of the process and its modules.
///     OFFSET  SIZE  FIELD
///          0     4  version, 1
///          4    16  id of the report
///         20    16  id of the client
///         36     8  size and offset of the simple annotations
///         44     8  size and offset of the modules' annotations
///         56     8  mask of addresses, if the stream has 64 bytes
///
/// Source: MinidumpCrashpadInfo in Crashpad, `minidump/minidump_extensions.h`.
struct CrashpadInfo {
  /// The most annotations that are read for a process and its modules together.
  private static let limit = 4096
  /// The bytes of all their texts: a small file may refer to one long text many times.
  private static let textBytes = 4 << 20

  private(set) var clientID: String?
  private(set) var reportID: String?
  /// Annotations of the process.
  private(set) var annotations: [(name: String, value: String)] = []
  /// Annotations of modules; two modules may have one name.
  private(set) var moduleAnnotations: [(name: String, value: String)] = []
  /// Texts without a name, from modules.
  private(set) var lists: [String] = []
  /// The bits of a pointer that are an address; `nil` if all are.
  private(set) var addressMask: UInt64?
  private var bytesLeft = Self.textBytes

  /// Whether annotations were left out because of their size.
  var isCut: Bool { bytesLeft < 0 }

  init(_ stream: ByteView, in file: MinidumpFile) {
    reportID = Self.id(stream.clamped(4..<20), in: file)
    clientID = Self.id(stream.clamped(20..<36), in: file)
    annotations = dictionary(stream, at: 36, in: file)
    // Crashpad gives the bits that are not part of an address.
    if let mask = file.number(stream, at: 56, as: UInt64.self), mask != 0 {
      addressMask = mask & 1 == 0 ? ~mask : mask
    }
    readModules(stream, in: file)
  }

  /// `nil` for zeros.
  private static func id(_ bytes: ByteView, in file: MinidumpFile) -> String? {
    guard bytes.count == 16, let first = file.number(bytes, at: 0, as: UInt32.self),
      let second = file.number(bytes, at: 4, as: UInt16.self),
      let third = file.number(bytes, at: 6, as: UInt16.self),
      bytes.array.contains(where: { $0 != 0 })
    else { return nil }
    func digits(_ value: some BinaryInteger, _ count: Int) -> String {
      let text = String(value, radix: 16)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let rest = bytes.clamped(8..<16).array.map { digits($0, 2) }
    return [
      digits(first, 8), digits(second, 4), digits(third, 4), rest[..<2].joined(),
      rest[2...].joined(),
    ].joined(separator: "-")
  }

  /// The part of the file that a size and an offset at `position` refer to.
  private static func part(_ bytes: ByteView, at position: Int, in file: MinidumpFile) -> ByteView?
  {
    guard let size = file.number(bytes, at: position, as: UInt32.self),
      let offset = file.number(bytes, at: position + 4, as: UInt32.self)
    else { return nil }
    return file.part(at: offset, size: size)
  }

  /// The entries of a list that begins with their number.
  private static func entries(_ bytes: ByteView?, size: Int, in file: MinidumpFile) -> [ByteView] {
    guard let bytes, let count = file.number(bytes, at: 0, as: UInt32.self) else { return [] }
    return (0..<min(Int(count), (bytes.count - 4) / size, limit)).map {
      bytes.clamped((4 + $0 * size)..<(4 + ($0 + 1) * size))
    }
  }

  private mutating func dictionary(
    _ bytes: ByteView, at position: Int, in file: MinidumpFile
  ) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for entry in Self.entries(Self.part(bytes, at: position, in: file), size: 8, in: file) {
      guard let key = file.number(entry, at: 0, as: UInt32.self),
        let value = file.number(entry, at: 4, as: UInt32.self),
        let name = text(at: key, in: file), !name.isEmpty
      else { continue }
      found.append((name, text(at: value, in: file) ?? ""))
    }
    return found
  }

  /// - Returns: `nil` if there is no text, and once the limit is reached.
  private mutating func text(at position: UInt32, in file: MinidumpFile) -> String? {
    guard bytesLeft >= 0, let text = file.text(at: position) else { return nil }
    bytesLeft -= text.utf8.count
    return bytesLeft >= 0 ? text : nil
  }

  /// A module is its index, and size and offset of its annotations: a list, a dictionary and objects.
  private mutating func readModules(_ stream: ByteView, in file: MinidumpFile) {
    let modules = Self.entries(Self.part(stream, at: 44, in: file), size: 12, in: file)
    for entry in modules {
      guard moduleAnnotations.count + lists.count < Self.limit,
        let module = Self.part(entry, at: 4, in: file)
      else { continue }
      for item in Self.entries(Self.part(module, at: 4, in: file), size: 4, in: file) {
        if let position = file.number(item, at: 0, as: UInt32.self),
          let text = text(at: position, in: file)
        {
          lists.append(text)
        }
      }
      moduleAnnotations += dictionary(module, at: 12, in: file)
      for item in Self.entries(Self.part(module, at: 20, in: file), size: 12, in: file) {
        // Type 1 is a text; others are the application's own.
        guard file.number(item, at: 4, as: UInt16.self) == 1,
          let key = file.number(item, at: 0, as: UInt32.self),
          let value = file.number(item, at: 8, as: UInt32.self),
          let name = text(at: key, in: file), !name.isEmpty
        else { continue }
        moduleAnnotations.append((name, text(at: value, in: file) ?? ""))
      }
    }
  }
}
