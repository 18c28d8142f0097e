internal import DebugInfo
public import ObjectFormats

/// A file that holds a part of the debug information of others: split units (`.dwo`, `.dwp`).
public struct CompanionFile: Sendable {
  /// Where it was found, for people.
  public let path: String
  public let object: ObjectFile
  let source: SourceFile

  init(path: String, object: ObjectFile, in source: SourceFile) {
    self.path = path
    self.object = object
    self.source = source
  }
}
