package import Bytes
internal import CSandbox
internal import Glibc

/// An open descriptor, closed when it goes out of scope and not inherited by other programs.
package struct OpenFile: ~Copyable {
  package let number: Int32

  private init(taking number: Int32) { self.number = number }

  /// Opens for reading; never waits for the other end of a pipe, never takes a terminal.
  ///
  /// - Parameters:
  ///   - path: The bytes of the path, without a NUL.
  ///   - name: What to call it in the error.
  package static func opening(_ path: [UInt8], name: String) throws(FileError) -> OpenFile {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let number = path.withCPath { open($0, flags) }
    guard number >= 0 else { throw FileError("open", path: name) }
    return OpenFile(taking: number)
  }

  /// The same open file under a number of its own.
  static func duplicating(_ descriptor: Int32, name: String) throws(FileError) -> OpenFile {
    let number = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard number >= 0 else { throw FileError("open", path: name) }
    return OpenFile(taking: number)
  }

  /// An unnamed file in memory that holds `bytes` and is read from its start.
  static func holding(_ bytes: ByteView, name: String) throws(FileError) -> OpenFile {
    let number = sandbox_memory_file("archive")
    guard number >= 0 else { throw FileError("keep", path: name) }
    let file = OpenFile(taking: number)
    try bytes.write(to: number, named: name)
    lseek(number, 0, SEEK_SET)
    return file
  }

  /// The reading and the writing end of a pipe, neither of which is 0, 1 or 2: a process whose own
  /// standard descriptors are closed would otherwise lose them on the way into the new program.
  package static func pipe() throws(FileError) -> Pipe {
    var ends: [Int32] = [0, 0]
    guard sandbox_pipe(&ends) == 0 else { throw FileError("open", path: "pipe") }
    let reading = OpenFile(taking: ends[0])
    let writing = OpenFile(taking: ends[1])
    return Pipe(reading: try reading.movedUp(), writing: try writing.movedUp())
  }

  @frozen
  package struct Pipe: ~Copyable {
    package let reading: OpenFile
    package let writing: OpenFile
  }

  /// The same file under a number from 3 on.
  package consuming func movedUp() throws(FileError) -> OpenFile {
    guard number < 3 else { return self }
    let higher = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard higher >= 0 else { throw FileError("open", path: "descriptor") }
    return OpenFile(taking: higher)
  }

  /// What kind of file it is, and its size in bytes.
  borrowing func status(name: String) throws(FileError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw FileError("read", path: name) }
    return status
  }

  /// The first `count` bytes, or all there are; the reading position stays.
  borrowing func head(_ count: Int, name: String) throws(FileError) -> ByteView {
    try unsafe ByteView(capacity: count) { (buffer) throws(FileError) in
      var done = 0
      while done < buffer.count {
        let got = pread(
          number, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(done))
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw FileError("read", path: name) }
        if got == 0 { break }
        done += got
      }
      return done
    }
  }

  /// The next bytes from the reading position, at most `count`; none at the end.
  borrowing func next(_ count: Int, name: String) throws(FileError) -> ByteView {
    try unsafe ByteView(capacity: count) { (buffer) throws(FileError) in
      while true {
        let got = read(number, buffer.baseAddress, buffer.count)
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw FileError("read", path: name) }
        return got
      }
    }
  }

  deinit { close(number) }
}

extension [UInt8] {
  /// The bytes as a path for a system call. A NUL among them ends it.
  func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let path = self.map { CChar(bitPattern: $0) } + [0]
    return path.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a path ends in a NUL") }
      return body(start)
    }
  }
}
