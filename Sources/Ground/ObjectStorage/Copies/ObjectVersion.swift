/// An object in one state: its bytes do not change.
public struct ObjectVersion: Hashable, Sendable {
  public let address: ObjectAddress
  /// In bytes.
  public let size: Int
  /// The server's name for this state, with its quotation marks.
  public let entityTag: String

  public init(_ address: ObjectAddress, size: Int, entityTag: String) {
    self.address = address
    self.size = size
    self.entityTag = entityTag
  }

  /// An object of a list.
  ///
  /// - Throws: ``ObjectStorageError`` where the server does not name its state.
  public init(_ entry: ObjectEntry) throws(ObjectStorageError) {
    guard let tag = entry.entityTag, ObjectHead.isStrong(tag), tag.utf8.count <= 1024 else {
      throw ObjectStorageError(
        .malformed, entry.address.description, "the server gives it no ETag that names its state")
    }
    self.init(entry.address, size: entry.size, entityTag: tag)
  }
}

extension ObjectStore {
  /// The object with exactly this key; where there is none, all whose keys begin with it, in the order of
  /// their bytes. Empty objects that stand for folders are left out.
  ///
  /// - Throws: ``ObjectStorageError``: `.notFound` where there is none at all.
  /// - Complexity: O(n) in the objects, which are in memory.
  public func objects(at address: ObjectAddress) throws(ObjectStorageError) -> [ObjectEntry] {
    // Consoles make an object for a folder, whose key ends with the slash.
    if !address.key.isEmpty, address.key.utf8.last != UInt8(ascii: "/"),
      let head = try head(address)
    {
      return [
        ObjectEntry(
          address: address, size: head.size ?? 0, entityTag: head.entityTag, modified: nil)
      ]
    }
    var listing = list(address)
    var found: [ObjectEntry] = []
    while let entry = try listing.next() {
      if entry.size > 0 || entry.address.key.utf8.last != UInt8(ascii: "/") { found.append(entry) }
    }
    guard !found.isEmpty else {
      throw ObjectStorageError(
        .notFound, address.description, "there is no object whose key is this or begins with it")
    }
    return found.sorted { $0.address < $1.address }
  }
}
