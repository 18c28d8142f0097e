public import Bytes
internal import Glibc

/// An open folder. What lies below it is reached name by name, and no symbolic link is followed:
/// who may write into the folder cannot lead us out of it.
public struct FolderHandle: ~Copyable {
  private let file: OpenFile
  /// Its name in errors.
  public let shown: String

  public var number: Int32 { file.number }

  private init(_ file: consuming OpenFile, shown: String) {
    self.file = file
    self.shown = shown
  }

  /// Opens the folder at `path`, which may be a link that was named.
  public init(opening path: String) throws(FileError) {
    self.init(try OpenFile.folder(path), shown: path)
  }

  /// The folder `name` in it.
  ///
  /// - Parameter isMade: Whether it is made where it is not there.
  public borrowing func folder(
    _ name: [UInt8], isMade: Bool = false
  ) throws(FileError) -> FolderHandle {
    let shown = shown(name)
    if isMade && name.withCPath({ mkdirat(number, $0, 0o777) }) != 0 && errno != EEXIST {
      throw FileError("make folder", path: shown)
    }
    let file = try open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, to: "open")
    return FolderHandle(file, shown: shown)
  }

  /// The folder that `names` lead to.
  public borrowing func folder(
    at names: [[UInt8]], isMade: Bool = false
  ) throws(FileError) -> FolderHandle {
    guard let first = names.first else {
      return FolderHandle(try OpenFile.duplicating(number, name: shown), shown: shown)
    }
    return try folder(first, isMade: isMade).folder(at: Array(names.dropFirst()), isMade: isMade)
  }

  public borrowing func status(of name: some Collection<UInt8>) -> FileStatus? {
    var status = stat()
    let result = Array(name).withCPath { fstatat(number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    return result == 0 ? FileStatus(status) : nil
  }

  /// Opens a file for reading; never waits for the other end of a pipe.
  public borrowing func open(_ name: [UInt8]) throws(FileError) -> OpenFile {
    try open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, to: "open")
  }

  private borrowing func open(
    _ name: [UInt8], _ flags: Int32, to action: String
  ) throws(FileError) -> OpenFile {
    let opened = name.withCPath { openat(number, $0, flags, 0o600) }
    guard opened >= 0 else { throw FileError(action, path: shown(name)) }
    return OpenFile(taking: opened)
  }

  /// The names in the folder that `isWanted` takes.
  public borrowing func names(
    where isWanted: (UnsafeRawBufferPointer) -> Bool
  ) throws(FileError) -> SortedNames {
    // The stream takes the descriptor over and moves its position.
    let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let error = FileError("read", path: shown)
      if copy >= 0 { close(copy) }
      throw error
    }
    defer { closedir(stream) }
    var names = SortedNames()
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

  public borrowing func shown(_ name: some Collection<UInt8>) -> String {
    (shown.hasSuffix("/") ? shown : shown + "/") + DisplayText.escaped(name)
  }
}

// MARK: Changing

extension FolderHandle {
  /// Removes a file, or an empty folder; `errno` says why it stays.
  ///
  /// - Returns: Whether it was removed.
  @discardableResult
  public borrowing func remove(_ name: [UInt8], isFolder: Bool = false) -> Bool {
    name.withCPath { unlinkat(number, $0, isFolder ? AT_REMOVEDIR : 0) } == 0
  }

  /// Writes a text for people next to the files; what has the name is written over.
  public borrowing func write(_ text: String, to name: [UInt8]) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let file = try open(name, flags, to: "write")
    try ByteView(text.utf8).write(to: file.number, named: shown(name))
  }

  /// Gives a file or a folder a name in `target`; `errno` says why it keeps its own.
  ///
  /// - Returns: Whether it has it.
  public borrowing func rename(
    _ name: [UInt8], to newName: [UInt8], in target: borrowing FolderHandle
  ) -> Bool {
    let (from, to) = (number, target.number)
    return name.withCPath { old in newName.withCPath { renameat(from, old, to, $0) } } == 0
  }

  /// Gives a file a name in `target` without taking that of another. Nothing is done where it is
  /// gone.
  public borrowing func move(
    _ name: [UInt8], to newName: [UInt8], in target: borrowing FolderHandle
  ) throws(FileError) {
    let (from, to) = (number, target.number)
    let linked = name.withCPath { old in newName.withCPath { linkat(from, old, to, $0, 0) } }
    if linked == 0 {
      remove(name)
      return
    }
    let code = errno
    guard let status = status(of: name) else {
      if code == ENOENT { return }
      throw FileError("move", path: shown(name), code: code)
    }
    if code == EEXIST && target.status(of: newName)?.mark == status.mark {
      remove(name)
      return
    }
    // A file system without links.
    guard [EPERM, EOPNOTSUPP, EMLINK, ENOSYS].contains(code), target.status(of: newName) == nil,
      rename(name, to: newName, in: target)
    else { throw FileError("move", path: shown(name), code: code) }
  }
}
