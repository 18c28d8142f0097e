internal import Bytes
internal import Files
internal import Glibc

/// The kernel's events for folders. Source: inotify(7).
final class Inotify {
  /// An event in a folder.
  struct Event {
    enum Kind {
      /// A file was closed after writing.
      case closed
      /// A file appeared under this name, complete or not: by a rename, as a link, or new and empty.
      case moved, appeared
      /// A folder appeared under this name.
      case folder
      /// The folder itself was moved or deleted.
      case gone
      /// The watch has ended.
      case ended
      /// The event queue overflowed, and events were dropped.
      case overflow
    }

    let watch: Int32
    let kind: Kind
    let name: [UInt8]
  }

  private static let mask = UInt32(
    IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
      | IN_DONT_FOLLOW | IN_EXCL_UNLINK)

  let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init() throws(FileError) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw FileError("watch", path: "folders") }
  }

  /// Watches an open folder.
  ///
  /// - Returns: The number of the watch, the same for the same folder; negative, with `errno`, if there are
  ///   no more.
  func add(_ folder: borrowing FolderHandle) -> Int32 {
    // The name of an open descriptor is the folder itself, whatever its path refers to by now.
    inotify_add_watch(
      descriptor, "/proc/self/fd/\(folder.number)/.", Self.mask)
  }

  /// The next events; empty if there are none.
  func next() -> [Event] {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return [] }
    var events: [Event] = []
    let headerSize = MemoryLayout<inotify_event>.size
    buffer.withUnsafeBytes { bytes in
      var offset = 0
      while offset + headerSize <= count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + headerSize
        let end = min(start + Int(event.len), count)
        let name = bytes[start..<end].prefix { $0 != 0 }
        if let kind = Self.kind(event.mask) {
          events.append(Event(watch: event.wd, kind: kind, name: Array(name)))
        }
        offset = end
      }
    }
    return events
  }

  private static func kind(_ mask: UInt32) -> Event.Kind? {
    func has(_ bit: Int32) -> Bool { mask & UInt32(truncatingIfNeeded: bit) != 0 }
    let isFolder = Int32(IN_ISDIR)
    if has(IN_Q_OVERFLOW) { return .overflow }
    if has(IN_IGNORED) { return .ended }
    if has(IN_DELETE_SELF) || has(IN_MOVE_SELF) || has(IN_UNMOUNT) { return .gone }
    if has(isFolder) { return has(IN_CREATE) || has(IN_MOVED_TO) ? .folder : nil }
    if has(IN_CLOSE_WRITE) { return .closed }
    if has(IN_MOVED_TO) { return .moved }
    return has(IN_CREATE) ? .appeared : nil
  }

  deinit { close(descriptor) }
}
