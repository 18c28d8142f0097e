public import Bytes

/// Names of functions with the namespaces and types that they stand in: `audio::init`.
///
/// A function that other units cannot name, such as a static one in a namespace, has no linkage name in what
/// gcc writes: entries give its name in parts, which stand together nowhere in the file.
public struct ScopedNames: Sendable {
  /// The names, each with a NUL behind it.
  private var bytes: [UInt8] = []
  private var places: [[UInt8]: Int] = [:]

  /// What references to ``TextReference/Section/scoped`` count from.
  public var view: ByteView { bytes.isEmpty ? .empty : ByteView(bytes) }

  /// Where a name stands, which is put there if it is new.
  mutating func reference(to name: [UInt8]) -> TextReference {
    if let known = places[name] { return TextReference(.scoped, known) }
    let place = bytes.count
    bytes += name
    bytes.append(0)
    places[name] = place
    return TextReference(.scoped, place)
  }

  /// The name at the offset of a reference.
  func name(at offset: Int) -> [UInt8] { Array(bytes[offset...].prefix { $0 != 0 }) }
}
