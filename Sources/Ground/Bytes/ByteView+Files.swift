import Glibc

extension ByteView {
  /// The whole file, mapped for reading.
  ///
  /// For files that are not truncated while they are read: reading a page past the new end raises SIGBUS.
  /// Untrusted files are read by ``init(reading:limit:)``.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened or mapped, or is not a regular file.
  public init(mapping path: String) throws(FileError) {
    let file = try FileDescriptor(opening: path)
    let size = try file.regularFileSize(path)
    guard size > 0 else {
      self = .empty
      return
    }
    guard let address = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, file.number, 0),
      unsafe address != MAP_FAILED
    else { throw FileError("map", path: path) }
    let storage = unsafe ByteStorage(
      taking: UnsafeRawBufferPointer(start: address, count: size), isMapped: true
    ) { unsafe munmap(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) }
    self.init(storage: storage, start: 0, count: size)
  }

  /// Releases the pages of a mapped file until its bytes are read again; does nothing for other bytes.
  public func forgetPages() {
    guard storage.isMapped, count > 0 else { return }
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    // Only whole pages; a neighbour's page is read again as this one's is.
    let first = start / page * page
    unsafe withUnsafeBytes { bytes in
      guard let address = bytes.baseAddress else { return }
      let pageStart = unsafe UnsafeMutableRawPointer(mutating: address - (start - first))
      _ = unsafe madvise(pageStart, count + (start - first), MADV_DONTNEED)
    }
  }

  /// The whole file, read into memory.
  ///
  /// - Parameter limit: The most bytes to take.
  /// - Throws: ``FileError`` when the file cannot be read, is not a regular file, or is larger than
  ///   `limit`.
  public init(reading path: String, limit: Int) throws(FileError) {
    let file = try FileDescriptor(opening: path)
    let size = try file.regularFileSize(path)
    guard size <= limit else {
      throw FileError(
        "read", path: path, code: EFBIG,
        detail: "\(size) bytes exceed the limit of \(limit)")
    }
    try unsafe self.init(capacity: size) { (buffer) throws(FileError) in
      try unsafe file.read(into: buffer, path: path)
    }
  }

  /// A part of a file, read into memory: as much of `range` as there is.
  ///
  /// - Throws: ``FileError`` when the file cannot be read or is not a regular file.
  public init(reading path: String, range: Range<Int>) throws(FileError) {
    let file = try FileDescriptor(opening: path)
    let range = range.clamped(to: 0..<(try file.regularFileSize(path)))
    try unsafe self.init(capacity: range.count) { (buffer) throws(FileError) in
      try unsafe file.read(into: buffer, from: range.lowerBound, path: path)
    }
  }

  /// Everything that can still be read from the descriptor `number`, such as standard input.
  ///
  /// - Parameters:
  ///   - name: The name of the source in an error.
  ///   - limit: The most bytes to take.
  /// - Throws: ``FileError`` when reading fails or there are more than `limit` bytes.
  public init(descriptor number: Int32, name: String, limit: Int) throws(FileError) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(number, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read", path: name) }
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= limit else {
        throw FileError(
          "read", path: name, code: EFBIG, detail: "larger than the limit of \(limit) bytes")
      }
    }
    self.init(bytes)
  }
}

/// An open file, closed when it goes out of scope.
private struct FileDescriptor: ~Copyable {
  let number: Int32

  init(opening path: String) throws(FileError) {
    // Without O_NONBLOCK, opening a named pipe without a writer would block forever.
    number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw FileError("open", path: path) }
  }

  borrowing func regularFileSize(_ path: String) throws(FileError) -> Int {
    var status = stat()
    guard unsafe fstat(number, &status) == 0 else { throw FileError("read", path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(
        "read", path: path, code: EINVAL,
        detail: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "not a regular file")
    }
    return Int(status.st_size)
  }

  /// Fills `buffer` as far as the file goes and returns how many bytes were read.
  borrowing func read(
    into buffer: UnsafeMutableRawBufferPointer, from start: Int = 0, path: String
  ) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
      let count = unsafe pread(
        number, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(start + done))
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read", path: path) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  deinit { close(number) }
}
