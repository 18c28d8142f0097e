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

  static func identities(of bytes: ByteView) -> [MappingFile.Identity] {
    let header = R8Header(of: bytes)
    var identities = [
      MappingFile.Identity(debugID: DebugID(uuid: NameBasedUUID.uuid(of: bytes, in: contents)))
    ]
    var ids: [MappingFile.Identity] = []
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
