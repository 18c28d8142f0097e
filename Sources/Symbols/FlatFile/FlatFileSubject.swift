internal import Bytes
package import Identifiers

/// The object that a flat file was made from.
package struct FlatFileSubject: Sendable {
  package let debugID: DebugID?
  package let architecture: Architecture
  /// The linked address that offsets count from.
  package let imageBase: UInt64

  package init(debugID: DebugID?, architecture: Architecture, imageBase: UInt64) {
    self.debugID = debugID
    self.architecture = architecture
    self.imageBase = imageBase
  }

  /// - Parameter reader: A reader at byte 40 of the file.
  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader) throws(ParseError) {
    imageBase = try reader.read()
    let uuid = try reader.readBytes(16)
    let age: UInt32 = try reader.read()
    let hasID: UInt32 = try reader.read()
    debugID = hasID == 1 ? DebugID(uuid: ByteView(copying: uuid).array, age: age) : nil
    let name = try reader.readBytes(32)
    architecture = Architecture(
      name.extracting(0..<name.textLength(from: 0, limit: 32)).text)
  }

  /// - Parameter header: The first 40 bytes of the file.
  func write(to header: inout Table<UInt8>) {
    header.append(littleEndian: imageBase)
    for byte in debugID?.uuid ?? [UInt8](repeating: 0, count: 16) { header.append(byte) }
    header.append(littleEndian: debugID?.age ?? UInt32(0))
    header.append(littleEndian: UInt32(debugID == nil ? 0 : 1))
    for byte in architecture.description.utf8.prefix(32) { header.append(byte) }
  }
}
