public import Bytes
public import Identifiers
internal import HTTPClient

/// The facts that a server tells about an object.
public struct ObjectHead: Sendable, Hashable {
  /// Bytes of the whole object; `nil` where a server of plain HTTP does not tell.
  public internal(set) var size: Int?
  /// The identity of this version of the object, with its quotation marks; `nil` where the server has none.
  public let entityTag: String?
  /// When it was stored, as the server writes it.
  public let modified: String?

  init(size: Int?, entityTag: String?, modified: String?) {
    self.size = size
    self.entityTag = entityTag
    self.modified = modified
  }

  init(_ head: WebHead, size: Int?) {
    func kept(_ name: String) -> String? {
      head[name].flatMap { $0.isEmpty || $0.utf8.count > 1024 ? nil : $0 }
    }
    self.init(size: size, entityTag: kept("etag"), modified: kept("last-modified"))
  }

  /// The entity tag, where it proves that all bytes are the same.
  ///
  /// Source: RFC 9110 8.8.1: weak ones begin with `W/` and do not. One that cannot stand in a header is not
  /// used.
  var strongTag: String? { entityTag.flatMap { Self.isStrong($0) ? $0 : nil } }

  static func isStrong(_ tag: String) -> Bool {
    tag.hasPrefix("\"") && tag.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// Whether a later answer can be known to be of the same version.
  var hasVersion: Bool { entityTag != nil || modified != nil }

  /// Whether two answers are of one version, as far as they tell.
  func isSameVersion(as other: ObjectHead) -> Bool {
    if let size, let other = other.size, size != other { return false }
    return entityTag == other.entityTag && modified == other.modified
  }
}

/// Bytes of an object.
public struct ObjectPart: Sendable {
  public let bytes: ByteView
  /// The object that they are of.
  public let object: ObjectHead
}

/// An object in a list.
public struct ObjectEntry: Sendable, Hashable {
  public let address: ObjectAddress
  /// In bytes.
  public let size: Int
  public let entityTag: String?
  public let modified: Timestamp?
}
