internal import Bytes
internal import Files
internal import Glibc

/// Walking folders.
extension FolderWatcher {
  func walkAll() {
    nextWalk = SteadyClock.nanoseconds + (isBlind ? WatchLimits.blindWalk : WatchLimits.walk)
    for root in folders.indices.reversed() { enqueue(WatchedPath(root: root, path: [])) }
  }

  func enqueue(_ folder: WatchedPath) {
    guard folder.names.count <= WatchLimits.depth, queued.insert(folder).inserted else { return }
    queue.append(folder)
  }

  /// Walks a few more names.
  ///
  /// - Returns: Whether there is more to walk.
  func walkOn(into batch: inout Batch) -> Bool {
    if walk == nil {
      guard let folder = queue.popLast() else { return false }
      queued.remove(folder)
      begin(folder)
    }
    guard var current = walk else { return true }
    if current.next < current.names.count, let handle = try? folder(current.folder) {
      while current.next < current.names.count, !batch.isFull {
        let name = Array(current.names[current.next])
        current.next += 1
        consider(name, in: current.folder, handle, current.names, &batch)
      }
      walk = current.next < current.names.count ? current : nil
    } else {
      walk = nil
    }
    return walk != nil || !queue.isEmpty
  }

  private func begin(_ folder: WatchedPath) {
    if let owner = Self.owner(ofFolder: folder) { return wait(for: owner) }
    do throws(FileError) {
      let handle = try self.folder(folder)
      // The watch is added first: it reports later files, and the list has the earlier ones.
      let watch = inotify.add(handle)
      if watch >= 0 {
        watches[watch] = folder
      } else if !isBlind {
        isBlind = true
        nextWalk = min(nextWalk, SteadyClock.nanoseconds + WatchLimits.blindWalk)
        say(
          handle.shown,
          "cannot be watched (\(FileError("watch", path: "").reason)); "
            + "the folders are walked every \(WatchLimits.blindWalk / 1_000_000_000) s instead")
      }
      walk = Walk(folder: folder, names: try handle.names { Self.isWanted($0, in: folder) })
    } catch {
      if folder.path.isEmpty {
        guard absent.insert(folder.root).inserted else { return }
        say(folders[folder.root], "is missing (\(error.reason)); waiting for its return")
      } else if error.code == EACCES && unreadable.insert(folder).inserted {
        say(error.path, "cannot be read: \(error.reason)")
      }
    }
  }

  /// Whether a name in a folder is considered at all.
  static func isWanted(
    _ name: some BidirectionalCollection<UInt8>, in folder: WatchedPath
  ) -> Bool {
    guard !IgnoredNames.contains(name) else { return false }
    return !folder.path.isEmpty
      || !Outbox.folders.contains { name.elementsEqual($0.utf8) }
  }
}
