public import Files

/// A complete file in a watched folder.
public struct WatchedFile: Sendable {
  let place: Place
  /// Where it is, as a person would say it; bytes that cannot be shown are escaped.
  public let path: String
  /// Where it is, as bytes.
  public let pathBytes: [UInt8]
  public let mark: FileMark
  /// Its name as an attachment, and whether it lies in the folder of the attachments;
  /// `nil` for the file that others belong to.
  public let attachment: (name: [UInt8], isInFolder: Bool)?
}

/// A file with what belongs to it, all of it complete.
public struct WaitingUnit: Sendable {
  public let file: WatchedFile
  /// Files that may belong to it by their names, and those in the folder of its attachments.
  public let companions: [WatchedFile]
  /// Whether it has a folder of attachments.
  let hasFolder: Bool
}
