public import Bytes
internal import Files
internal import Glibc

/// Moves processed files out of a watched folder.
public struct Outbox {
  /// A destination of files in the watched folder; it repeats the folders that they came from.
  public enum Tray: String, Sendable {
    case done, refused
  }

  /// The names in a watched folder that are not walked.
  static let folders = [Tray.done.rawValue, Tray.refused.rawValue]
  /// Numbers that are tried for a name that is taken; then a random one is used.
  private static let numbers = 2...100

  private let watcher: FolderWatcher

  public init(of watcher: FolderWatcher) { self.watcher = watcher }

  /// Moves a file after its companions, so that an interruption leaves none of them alone.
  ///
  /// Nothing is overwritten: a file whose name is taken in the tray gets a number.
  ///
  /// - Parameters:
  ///   - companions: The companions of the unit to move along, under the file's name.
  ///   - reason: Written to a text beside the file.
  /// - Throws: `FileError` for the first that cannot be moved.
  public func move(
    _ unit: WaitingUnit, with companions: [WatchedFile], to tray: Tray, reason: String? = nil
  ) throws(FileError) {
    let path = unit.file.watchedPath
    let source = try watcher.folder(path.folder)
    let target = try self.target(tray, for: path)
    let name = try freeName(for: path.name, in: target, unit)
    for companion in companions where companion.attachment?.isInFolder == false {
      let old = companion.watchedPath.name
      try source.move(old, to: name + old.dropFirst(path.name.count), in: target)
    }
    if unit.hasFolder {
      let folder = Self.attachments(of: path.name)
      guard
        source.rename(folder, to: Self.attachments(of: name), in: target) || errno == ENOENT
      else {
        throw FileError("move", path: source.shown(folder))
      }
    }
    if let reason { try target.write(reason, to: name + Self.reasonSuffix) }
    try source.move(path.name, to: name, in: target)
  }

  /// Moves one file of a unit by itself.
  ///
  /// - Throws: `FileError` when it cannot be moved.
  public func move(
    _ file: WatchedFile, to tray: Tray, reason: String? = nil
  ) throws(FileError) {
    try move(
      WaitingUnit(file: file, companions: [], hasFolder: false), with: [], to: tray,
      reason: reason)
  }

  /// Removes a file after its companions.
  ///
  /// - Throws: `FileError` for the first that cannot be removed.
  public func remove(_ unit: WaitingUnit, with companions: [WatchedFile]) throws(FileError) {
    for file in companions { try remove(file) }
    if unit.hasFolder {
      // The folder stays if new files arrived in it.
      let folder = try watcher.folder(unit.file.watchedPath.folder)
      folder.remove(Self.attachments(of: unit.file.watchedPath.name), isFolder: true)
    }
    try remove(unit.file)
  }

  /// Removes one file of a unit.
  ///
  /// - Throws: `FileError` when it cannot be removed.
  public func remove(_ file: WatchedFile) throws(FileError) {
    let folder = try watcher.folder(file.watchedPath.folder)
    guard folder.remove(file.watchedPath.name) || errno == ENOENT else {
      throw FileError("remove", path: file.path)
    }
  }

  private static let reasonSuffix = Array(".reason.txt".utf8)

  private static func attachments(of name: [UInt8]) -> [UInt8] {
    name + Array(".attachments".utf8)
  }

  private func target(_ tray: Tray, for path: WatchedPath) throws(FileError) -> FolderHandle {
    let root = try watcher.folder(WatchedPath(root: path.root, path: []))
    return try root.folder(
      at: [Array(tray.rawValue.utf8)] + path.folder.names, isMade: true)
  }

  /// `crash.ips`, or `crash-2.ips` and so on if taken.
  private func freeName(
    for name: [UInt8], in target: borrowing FolderHandle, _ unit: WaitingUnit
  ) throws(FileError) -> [UInt8] {
    func isFree(_ candidate: [UInt8], _ target: borrowing FolderHandle) -> Bool {
      // The file itself, if a move was interrupted.
      if target.status(of: candidate)?.mark == unit.file.mark { return true }
      let others = unit.companions.compactMap { companion -> [UInt8]? in
        companion.attachment?.isInFolder == false
          ? candidate + companion.watchedPath.name.dropFirst(name.count) : nil
      }
      for path in [candidate, candidate + Self.reasonSuffix, Self.attachments(of: candidate)]
        + others where target.status(of: path) != nil
      { return false }
      return true
    }
    if isFree(name, target) { return name }
    let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.count
    for number in Self.numbers {
      let candidate = name[..<dot] + Array("-\(number)".utf8) + name[dot...]
      if isFree(Array(candidate), target) { return Array(candidate) }
    }
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return name[..<dot] + Array("-\(random)".utf8) + name[dot...]
  }
}
