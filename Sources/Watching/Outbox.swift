public import Bytes
internal import Glibc

/// Takes files that are dealt with out of a watched folder.
public struct Outbox {
  /// Where files go, in the watched folder; below that lie the folders that they came from.
  public enum Tray: String, Sendable {
    case done, refused
  }

  /// The names in a watched folder that are not looked into.
  static let folders = [Tray.done.rawValue, Tray.refused.rawValue]
  /// Numbers that are tried for a file of which there is one already; then chance decides.
  private static let numbers = 2...100

  private let watcher: FolderWatcher

  public init(of watcher: FolderWatcher) { self.watcher = watcher }

  /// Moves a file, what belongs to it first, so that a stop in between leaves nothing alone.
  ///
  /// Nothing is overwritten: a file of which there is one in the tray already gets a number.
  ///
  /// - Parameters:
  ///   - companions: Those of the unit that go along under the file's name.
  ///   - reason: Written beside the file.
  /// - Throws: `FileError` for the first that cannot be moved.
  public func move(
    _ unit: WaitingUnit, with companions: [WatchedFile], to tray: Tray, reason: String? = nil
  ) throws(FileError) {
    let place = unit.file.place
    let source = try watcher.folder(place.folder)
    let target = try self.target(tray, for: place)
    let name = try freeName(for: place.name, in: target, unit)
    for companion in companions where companion.attachment?.isInFolder == false {
      let old = companion.place.name
      try Self.move(old, from: source, to: name + old.dropFirst(place.name.count), in: target)
    }
    if unit.hasFolder {
      let folder = Self.attachments(of: place.name)
      let status = renameat(folder, from: source, to: Self.attachments(of: name), in: target)
      guard status == 0 || errno == ENOENT else {
        throw FileError("move", path: source.shown(folder))
      }
    }
    if let reason { try Self.write(reason, to: name + Self.reasonSuffix, in: target) }
    try Self.move(place.name, from: source, to: name, in: target)
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

  /// Removes a file, what belongs to it first.
  ///
  /// - Throws: `FileError` for the first that cannot be removed.
  public func remove(_ unit: WaitingUnit, with companions: [WatchedFile]) throws(FileError) {
    for file in companions { try remove(file) }
    if unit.hasFolder {
      // With files in it that came meanwhile, it stays.
      let folder = try watcher.folder(unit.file.place.folder)
      _ = Self.attachments(of: unit.file.place.name)
        .withCName { unlinkat(folder.number, $0, AT_REMOVEDIR) }
    }
    try remove(unit.file)
  }

  /// Removes one file of a unit.
  ///
  /// - Throws: `FileError` when it cannot be removed.
  public func remove(_ file: WatchedFile) throws(FileError) {
    let folder = try watcher.folder(file.place.folder)
    let status = file.place.name.withCName { unlinkat(folder.number, $0, 0) }
    guard status == 0 || errno == ENOENT else { throw FileError("remove", path: file.path) }
  }

  private static let reasonSuffix = Array(".reason.txt".utf8)

  private static func attachments(of name: [UInt8]) -> [UInt8] {
    name + Array(".attachments".utf8)
  }

  private func target(_ tray: Tray, for place: Place) throws(FileError) -> FolderHandle {
    let root = try watcher.folder(Place(root: place.root, path: []))
    return try root.folder(
      at: [Array(tray.rawValue.utf8)] + place.folder.names, isMade: true)
  }

  /// `crash.ips`, else `crash-2.ips` and so on.
  private func freeName(
    for name: [UInt8], in target: borrowing FolderHandle, _ unit: WaitingUnit
  ) throws(FileError) -> [UInt8] {
    func isFree(_ candidate: [UInt8], _ target: borrowing FolderHandle) -> Bool {
      // The file itself, when a move was stopped half way.
      if target.status(of: candidate)?.mark == unit.file.mark { return true }
      let others = unit.companions.compactMap { companion -> [UInt8]? in
        companion.attachment?.isInFolder == false
          ? candidate + companion.place.name.dropFirst(name.count) : nil
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

  /// Gives a file its new name without taking that of another.
  private static func move(
    _ name: [UInt8], from source: borrowing FolderHandle, to newName: [UInt8],
    in target: borrowing FolderHandle
  ) throws(FileError) {
    let (from, to) = (source.number, target.number)
    let linked = name.withCName { old in newName.withCName { linkat(from, old, to, $0, 0) } }
    if linked == 0 {
      _ = name.withCName { unlinkat(from, $0, 0) }
      return
    }
    let code = errno
    guard let status = source.status(of: name) else {
      if code == ENOENT { return }
      throw FileError("move", path: source.shown(name), code: code)
    }
    if code == EEXIST && target.status(of: newName)?.mark == status.mark {
      _ = name.withCName { unlinkat(from, $0, 0) }
      return
    }
    // A file system without links.
    guard [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(code), target.status(of: newName) == nil,
      renameat(name, from: source, to: newName, in: target) == 0
    else { throw FileError("move", path: source.shown(name), code: code) }
  }

  private static func write(
    _ text: String, to name: [UInt8], in target: borrowing FolderHandle
  ) throws(FileError) {
    let folder = target.number
    let file = name.withCName {
      openat(folder, $0, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    guard file >= 0 else { throw FileError("write", path: target.shown(name)) }
    defer { close(file) }
    try ByteView(text.utf8).write(to: file, named: target.shown(name))
  }
}

private func renameat(
  _ name: [UInt8], from source: borrowing FolderHandle, to newName: [UInt8],
  in target: borrowing FolderHandle
) -> Int32 {
  let (from, to) = (source.number, target.number)
  return name.withCName { old in newName.withCName { Glibc.renameat(from, old, to, $0) } }
}
