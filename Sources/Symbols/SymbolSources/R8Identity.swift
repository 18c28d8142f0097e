internal import Bytes
internal import CrashModel
internal import Hashing
internal import Retracing

/// The ids of a mapping of R8 or ProGuard.
package enum R8Identity {
  /// By its content, as Sentry's tools do: its build plugin writes this id into the app.
  ///
  /// Source: getsentry/rust-proguard, `ProguardMapping::uuid`.
  private static let contents = NameBasedUUID.uuid(
    of: "guardsquare.com", in: NameBasedUUID.domains)
  /// By what R8 writes into each class in the place of a source file.
  private static let mapIDs = NameBasedUUID.uuid(
    of: "pg_map_id", in: NameBasedUUID.domains)
  /// The digits of a hash that R8 takes for an id.
  private static let shortDigits = 7

  /// - Parameter name: Of the file. Clients of Sentry send a mapping under the UUID that the build
  ///   plugin made up: `0b7c6f2e-5d0e-4f0a-9c55-3e3f2f2b9d11.txt`.
  static func identities(of bytes: ByteView, named name: String) -> [MappingFile.Identity] {
    let header = R8Header(of: bytes)
    var identities = [
      MappingFile.Identity(debugID: DebugID(uuid: NameBasedUUID.uuid(of: bytes, in: contents)))
    ]
    var ids: [MappingFile.Identity] = []
    let stem = name.prefix { $0 != "." }
    if stem.utf8.count == 36, let id = DebugID(String(stem)) { ids.append(.init(debugID: id)) }
    if let hash = header.mapHash { ids.append(identity(ofMapID: hash)) }
    if let id = header.mapID { ids.append(identity(ofMapID: id)) }
    for id in ids where !identities.contains(where: { $0.debugID == id.debugID }) {
      identities.append(id)
    }
    return identities
  }

  /// That of the mapping of which a frame names the id or the hash: `48ffd94` or all 64 digits of it.
  package static func identity(ofMapID id: String) -> MappingFile.Identity {
    let id = id.lowercased()
    let isHash = id.utf8.count >= shortDigits && id.allSatisfy(\.isHexDigit)
    let short = isHash ? String(id.prefix(shortDigits)) : id
    return MappingFile.Identity(
      debugID: DebugID(uuid: NameBasedUUID.uuid(of: short, in: mapIDs)),
      codeID: id.utf8.count == 64 && isHash ? CodeID(id) : nil)
  }
}
