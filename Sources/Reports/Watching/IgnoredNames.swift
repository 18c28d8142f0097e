/// Names of files that are unfinished or not meant to be read.
enum IgnoredNames {
  /// Suffixes that programs give a file while they write or fetch it.
  static let suffixes = [".tmp", ".part", ".partial", ".crdownload", ".download"]

  /// Whether a file is hidden, has one of the ``suffixes``, or was left by an editor.
  static func contains(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    guard let first = name.first, let last = name.last else { return true }
    if first == UInt8(ascii: ".") || last == UInt8(ascii: "~") { return true }
    return suffixes.contains { suffix in
      name.count > suffix.utf8.count && name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
  }
}
