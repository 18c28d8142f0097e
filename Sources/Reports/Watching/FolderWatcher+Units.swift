internal import Bytes
internal import Files

/// Files with their companions.
extension FolderWatcher {
  private static let folderSuffix = Array(".attachments".utf8)

  /// Adds the unit that `name` belongs to, if it is complete.
  func consider(
    _ name: [UInt8], in folder: WatchedPath, _ handle: borrowing FolderHandle, _ names: SortedNames,
    _ batch: inout Batch
  ) {
    // Everything below a folder of attachments belongs to the file that it is named after.
    if let owner = Self.owner(ofFolder: folder) {
      try? considerOwner(owner, &batch)
      return
    }
    guard let status = handle.status(of: name) else { return }
    if status.kind == .folder {
      // Attachments are read with their report; debug files have a command of their own.
      let isOfFile = name.suffix(Self.folderSuffix.count) == Self.folderSuffix[...]
      if !isOfFile && !name.suffix(5).elementsEqual(".dSYM".utf8) { enqueue(folder.child(name)) }
      return
    }
    guard status.kind == .file else { return }
    for dot in name.indices.dropFirst() where name[dot] == UInt8(ascii: ".") {
      let owner = Array(name[..<dot])
      if names.contains(owner), handle.status(of: owner)?.kind == .file {
        return add(owner, in: folder, handle, names, &batch)
      }
    }
    add(name, in: folder, handle, names, &batch)
  }

  func considerOwner(_ owner: WatchedPath, _ batch: inout Batch) throws(FileError) {
    guard !batch.owners.contains(owner) else { return }
    let folder = owner.folder
    let handle = try self.folder(folder)
    guard handle.status(of: owner.name)?.kind == .file else { return }
    let names = try handle.names { Self.isWanted($0, in: folder) }
    add(owner.name, in: folder, handle, names, &batch)
  }

  /// The file whose attachments are in `folder`, by its name alone.
  static func owner(ofFolder folder: WatchedPath) -> WatchedPath? {
    let names = folder.names
    guard
      let index = names.firstIndex(where: {
        $0.count > folderSuffix.count && $0.suffix(folderSuffix.count) == folderSuffix[...]
      })
    else { return nil }
    var owner = WatchedPath(root: folder.root, path: [])
    for name in names[..<index] { owner = owner.child(name) }
    return owner.child(names[index].dropLast(folderSuffix.count))
  }

  /// Adds a file with its companions, unless one is not complete yet or all were handed over before.
  func add(
    _ name: [UInt8], in folder: WatchedPath, _ handle: borrowing FolderHandle, _ names: SortedNames,
    _ batch: inout Batch
  ) {
    let owner = folder.child(name)
    guard batch.owners.insert(owner).inserted else { return }
    guard let status = handle.status(of: name), isComplete(owner, status, in: handle) else {
      return
    }
    let file = watched(owner, status, in: handle, attachment: nil)
    var companions: [WatchedFile] = []
    for other in names.names(behind: name + [UInt8(ascii: ".")]) {
      guard let status = handle.status(of: other), status.kind == .file else { continue }
      let path = folder.child(other)
      guard isComplete(path, status, in: handle) else { return wait(for: owner) }
      let called = Array(other.dropFirst(name.count + 1))
      companions.append(watched(path, status, in: handle, attachment: (called, false)))
    }
    let attachments = folder.child(name + Self.folderSuffix)
    var hasFolder = false
    if handle.status(of: attachments.name)?.kind == .folder {
      hasFolder = true
      guard let found = try? self.attachments(in: attachments) else { return wait(for: owner) }
      companions += found
    }
    let all = [file] + companions
    for file in all { pending[file.watchedPath] = nil }
    guard all.contains(where: { !known.contains(Self.key($0.pathBytes, $0.mark)) }) else { return }
    batch.units.append(WaitingUnit(file: file, companions: companions, hasFolder: hasFolder))
    batch.count += all.count
  }

  /// Schedules another check of a file, when its companions may be complete.
  func wait(for owner: WatchedPath) {
    let now = SteadyClock.nanoseconds
    let ripe = now + max(settle, WatchLimits.pause)
    add(Pending(since: now - settle, ripe: ripe), for: owner)
  }

  private struct NotComplete: Error {}

  /// The files in a folder of attachments, subfolders included.
  ///
  /// - Throws: When one is not complete yet.
  private func attachments(in folder: WatchedPath) throws -> [WatchedFile] {
    var files: [WatchedFile] = []
    var waiting: [(path: WatchedPath, called: [UInt8])] = [(folder, [])]
    while let (path, called) = waiting.popLast() {
      let handle = try self.folder(path)
      let names = try handle.names { !IgnoredNames.contains($0) }
      for index in 0..<names.count {
        let name = Array(names[index])
        guard let status = handle.status(of: name) else { continue }
        let child = path.child(name)
        if status.kind == .folder, child.names.count <= WatchLimits.depth {
          waiting.append((child, called + name + [0x2f]))
        }
        guard status.kind == .file, files.count < WatchLimits.attachments else { continue }
        guard isComplete(child, status, in: handle) else { throw NotComplete() }
        files.append(watched(child, status, in: handle, attachment: (called + name, true)))
      }
    }
    return files
  }

  private func watched(
    _ watchedPath: WatchedPath, _ status: FileStatus, in folder: borrowing FolderHandle,
    attachment: (name: [UInt8], isInFolder: Bool)?
  ) -> WatchedFile {
    WatchedFile(
      watchedPath: watchedPath, path: folder.shown(watchedPath.name),
      pathBytes: absolute[watchedPath.root] + [0x2f] + watchedPath.path, mark: status.mark,
      attachment: attachment)
  }
}
