public import Bytes
internal import Glibc

extension OpenFile {
  /// The first `count` bytes, or all there are; the reading position stays.
  public borrowing func head(_ count: Int, name: String) throws(FileError) -> ByteView {
    try part(at: 0, count: count, name: name)
  }

  /// The bytes from an offset on: at most `count`, fewer where the file ends.
  public borrowing func part(
    at start: Int, count: Int, name: String
  ) throws(FileError) -> ByteView {
    try unsafe ByteView(capacity: count) { (buffer) throws(FileError) in
      var done = 0
      while done < buffer.count {
        let got = pread(
          number, buffer.baseAddress?.advanced(by: done), buffer.count - done,
          off_t(start + done))
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw FileError("read", path: name) }
        if got == 0 { break }
        done += got
      }
      return done
    }
  }

  /// The next bytes from the reading position, at most `count`; none at the end.
  public borrowing func next(_ count: Int, name: String) throws(FileError) -> ByteView {
    try unsafe ByteView(capacity: count) { (buffer) throws(FileError) in
      while true {
        let got = Glibc.read(number, buffer.baseAddress, buffer.count)
        if got < 0 && errno == EINTR { continue }
        guard got >= 0 else { throw FileError("read", path: name) }
        return got
      }
    }
  }

  /// Reads the next bytes into `buffer`, after the first `start` of it.
  ///
  /// - Returns: How many came; none at the end.
  public borrowing func read(
    into buffer: inout [UInt8], from start: Int = 0, name: String
  ) throws(FileError) -> Int {
    while true {
      let got = buffer.withUnsafeMutableBytes { bytes in
        Glibc.read(number, bytes.baseAddress?.advanced(by: start), bytes.count - start)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw FileError("read", path: name) }
      return got
    }
  }

  /// Waits until there are bytes to read, or the end.
  ///
  /// - Parameter nanoseconds: The most to wait; the time that was waited is taken off.
  /// - Returns: `false` where nothing came in time.
  public borrowing func waitToRead(within nanoseconds: inout Int64) -> Bool {
    while true {
      var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      let began = SteadyClock.nanoseconds
      let result = poll(&ready, 1, Int32(clamping: max(nanoseconds, 0) / 1_000_000))
      nanoseconds -= SteadyClock.nanoseconds - began
      if result < 0 && errno == EINTR && nanoseconds > 0 { continue }
      return result > 0
    }
  }
}
