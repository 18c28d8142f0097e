internal import Archives
internal import Bytes
internal import Glibc

/// An open folder. What lies below it is reached name by name, and no symbolic link is followed: who
/// may write into a watched folder cannot lead us out of it.
struct FolderHandle: ~Copyable {
  let number: Int32
  /// What to call it in errors.
  let shown: String

  private init(number: Int32, shown: String) {
    self.number = number
    self.shown = shown
  }

  /// Opens the folder at `path`, which may be a link that somebody named.
  init(opening path: String) throws(FileError) {
    let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw FileError("open", path: path) }
    self.init(number: number, shown: path)
  }

  /// The folder `name` in it.
  ///
  /// - Parameter isMade: Whether it is made where it is not there.
  borrowing func folder(_ name: [UInt8], isMade: Bool = false) throws(FileError) -> FolderHandle {
    let shown = shown(name)
    if isMade && name.withCName({ mkdirat(number, $0, 0o777) }) != 0 && errno != EEXIST {
      throw FileError("make folder", path: shown)
    }
    let opened = name.withCName {
      openat(number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard opened >= 0 else { throw FileError("open", path: shown) }
    return FolderHandle(number: opened, shown: shown)
  }

  /// The folder that `names` lead to.
  borrowing func folder(at names: [[UInt8]], isMade: Bool = false) throws(FileError) -> FolderHandle
  {
    guard let first = names.first else {
      let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw FileError("open", path: shown) }
      return FolderHandle(number: copy, shown: shown)
    }
    return try folder(first, isMade: isMade).folder(at: Array(names.dropFirst()), isMade: isMade)
  }

  borrowing func status(of name: some Collection<UInt8>) -> FileStatus? {
    var status = stat()
    let result = Array(name).withCName { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? FileStatus(status) : nil
  }

  /// Opens a file for reading; never waits for the other end of a pipe.
  ///
  /// - Returns: The descriptor, which the caller closes.
  borrowing func open(_ name: [UInt8]) throws(FileError) -> Int32 {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let opened = name.withCName { openat(number, $0, flags) }
    guard opened >= 0 else { throw FileError("open", path: shown(name)) }
    return opened
  }

  /// The names in the folder that `isWanted` takes.
  borrowing func names(
    where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) throws(FileError) -> NameTable {
    // The stream takes the descriptor over and moves its position.
    let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let error = FileError("read", path: shown)
      if copy >= 0 { close(copy) }
      throw error
    }
    defer { closedir(stream) }
    var names = NameTable()
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let start = UnsafeRawPointer(entry).advanced(by: offset)
      let count = strlen(start.assumingMemoryBound(to: CChar.self))
      let name = UnsafeRawBufferPointer(start: start, count: count)
      if isWanted(name) { names.add(name) }
    }
    guard errno == 0 else { throw FileError("read", path: shown) }
    names.sort()
    return names
  }

  borrowing func shown(_ name: some Collection<UInt8>) -> String {
    (shown.hasSuffix("/") ? shown : shown + "/") + DisplayText.escaped(name)
  }

  deinit { close(number) }
}

extension [UInt8] {
  /// The bytes as a name for a system call. A NUL among them ends it.
  func withCName<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let name = map { CChar(bitPattern: $0) } + [0]
    return name.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a name ends in a NUL") }
      return body(start)
    }
  }
}
