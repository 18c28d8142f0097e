public import Bytes

/// Names of functions qualified with the namespaces and types that contain them: `audio::init`.
///
/// A function that other units cannot name, such as a static one in a namespace, has no linkage name in gcc's
/// output: entries give its name in parts, which the file never contains in one piece.
public struct ScopedNames: Sendable {
  /// The names, each followed by a NUL.
  private var bytes: [UInt8] = []
  private var offsets: [[UInt8]: Int] = [:]

  /// The bytes that references to ``TextReference/Section/scoped`` point into.
  public var view: ByteView { bytes.isEmpty ? .empty : ByteView(bytes) }

  /// The reference to a name, which is added if it is new.
  mutating func reference(to name: [UInt8]) -> TextReference {
    if let known = offsets[name] { return TextReference(.scoped, known) }
    let offset = bytes.count
    bytes += name
    bytes.append(0)
    offsets[name] = offset
    return TextReference(.scoped, offset)
  }

  /// The name at the offset of a reference.
  func name(at offset: Int) -> [UInt8] { Array(bytes[offset...].prefix { $0 != 0 }) }
}
