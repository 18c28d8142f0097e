internal import Crypto
public import Identifiers

/// The ids of a mapping that was uploaded for a release of an app, for reports that name no other id.
public enum ReleaseIdentity {
  private static let releases = NameBasedUUID.uuid(
    of: "release.mayday", in: NameBasedUUID.domains)

  /// The identity of the image of a report.
  ///
  /// - Parameter name: The part that the mapping explains, where a release has several of the kind.
  ///
  /// A mapping of a version without a build applies to all of its builds: it is found by the code id.
  public static func ofReport(
    app: String, release: Release, _ kind: MappingFile.Kind, of name: String = ""
  ) -> MappingFile.Identity? {
    guard !release.version.isEmpty else { return nil }
    return MappingFile.Identity(
      debugID: DebugID(uuid: uuid(app, release.version, release.build, kind, name)),
      codeID: CodeID(uuid(app, release.version, "", kind, name)))
  }

  /// The identity of a file.
  public static func ofFile(
    app: String, release: Release, _ kind: MappingFile.Kind, of name: String = ""
  ) -> MappingFile.Identity? {
    guard !release.version.isEmpty else { return nil }
    let id = uuid(app, release.version, release.build, kind, name)
    return MappingFile.Identity(
      debugID: DebugID(uuid: id), codeID: release.build.isEmpty ? CodeID(id) : nil)
  }

  private static func uuid(
    _ app: String, _ version: String, _ build: String, _ kind: MappingFile.Kind, _ name: String
  ) -> [UInt8] {
    let parts = [app, version, build, kind.rawValue] + (name.isEmpty ? [] : [name])
    return NameBasedUUID.uuid(of: parts.joined(separator: "\u{1F}"), in: releases)
  }
}
