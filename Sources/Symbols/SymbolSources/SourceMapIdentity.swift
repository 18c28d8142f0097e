internal import Bytes
internal import Crypto
package import Identifiers
internal import SourceMaps

/// The ids of a source map, and the scripts that it explains.
struct SourceMapIdentity {
  private(set) var identities: [MappingFile.Identity] = []
  private(set) var scripts: [ScriptPath] = []

  /// - Parameters:
  ///   - path: The path of the map.
  ///   - script: The script beside it, if there is one.
  /// - Throws: ``ParseError`` when the map is damaged, or another kind of document.
  init(of bytes: ByteView, path: String, script: (path: String, bytes: ByteView)?)
    throws(ParseError)
  {
    let map = try SourceMap(parsing: bytes)
    if let id = map.debugID ?? script.flatMap({ ScriptComments(in: $0.bytes).debugID }) {
      identities.append(MappingFile.Identity(debugID: id))
    }
    let folder = folder(of: path)
    let stem = path.hasSuffix(".map") ? String(path.dropLast(4)) : nil
    for name in [script?.path, stem, map.file.map { $0.contains("/") ? $0 : folder + $0 }] {
      guard let name, let script = ScriptPath(name),
        !scripts.contains(where: { $0.name == script.name })
      else { continue }
      scripts.append(script)
    }
    for script in scripts where script.hasHash {
      identities.append(MappingFile.Identity(debugID: Self.id(ofScript: script)))
    }
  }

  private static let scripts = NameBasedUUID.uuid(of: "script.mayday", in: NameBasedUUID.domains)

  /// The id of a script whose name no other build has.
  static func id(ofScript script: ScriptPath) -> DebugID {
    DebugID(uuid: NameBasedUUID.uuid(of: script.name, in: scripts))
  }
}

extension ScriptPath {
  /// The id of the map of a script by its name alone; `nil` where other builds may have the name
  /// too.
  package var nameID: DebugID? { hasHash ? SourceMapIdentity.id(ofScript: self) : nil }
}
