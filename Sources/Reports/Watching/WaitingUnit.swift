public import Files

/// A complete file in a watched folder.
public struct WatchedFile: Sendable {
  let watchedPath: WatchedPath
  /// The path for display; bytes that cannot be shown are escaped.
  public let path: String
  /// The path as bytes.
  public let pathBytes: [UInt8]
  public let mark: FileMark
  /// Its name as an attachment, and whether it is in the folder of attachments; `nil` for the main file.
  public let attachment: (name: [UInt8], isInFolder: Bool)?
}

/// A file with its companions, all of them complete.
public struct WaitingUnit: Sendable {
  public let file: WatchedFile
  /// Files that may belong to it by their names, and those in the folder of its attachments.
  public let companions: [WatchedFile]
  /// Whether it has a folder of attachments.
  let hasFolder: Bool
}
