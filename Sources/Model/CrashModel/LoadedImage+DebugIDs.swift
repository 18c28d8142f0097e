public import Identifiers

extension LoadedImage {
  /// The debug ids under which a file of this image may be stored, the likeliest first.
  ///
  /// Writers do not agree on the byte order in which a build id becomes a GUID, and some give of a
  /// build id only the bytes that fit in one.
  public var possibleDebugIDs: [DebugID] {
    var ids: [DebugID] = []
    func add(_ id: DebugID) {
      if !id.isZero, !ids.contains(id) { ids.append(id) }
    }
    if let debugID { add(debugID) }
    if let bytes = codeID?.bytes, bytes.count >= 16 {
      add(DebugID(buildID: bytes))
      add(DebugID(uuid: bytes))
    }
    if let debugID, debugID.age == 0 { add(debugID.turned) }
    return ids
  }
}
