internal import Bytes
internal import Files
internal import Glibc

/// A mostly empty file, stored as its non-zero pages.
struct DumpPages {
  private static let size = 4096
  private var pages: [Int: [UInt8]] = [:]

  /// Writes bytes at an offset, replacing earlier ones.
  mutating func put(_ bytes: ByteView, at offset: Int) {
    var done = 0
    while done < bytes.count {
      let position = offset + done
      let start = position % Self.size
      let count = min(Self.size - start, bytes.count - done)
      var page =
        pages.removeValue(forKey: position / Self.size)
        ?? [UInt8](repeating: 0, count: Self.size)
      for index in 0..<count { page[start + index] = bytes[done + index] }
      pages[position / Self.size] = page
      done += count
    }
  }

  /// Clears a range.
  mutating func clear(_ range: Range<Int>) {
    put(ByteView([UInt8](repeating: 0, count: range.count)), at: range.lowerBound)
  }

  /// Writes the file, with holes in place of empty pages.
  func write(to file: borrowing OpenFile, size: Int, named path: String) throws(FileError) {
    guard ftruncate(file.number, 0) == 0, ftruncate(file.number, off_t(size)) == 0 else {
      throw FileError("write", path: path)
    }
    for (index, page) in pages.sorted(by: { $0.key < $1.key }) {
      let start = index * Self.size
      let count = min(Self.size, size - start)
      guard count > 0 else { continue }
      var done = 0
      while done < count {
        let written = unsafe page.withUnsafeBytes { bytes in
          unsafe pwrite(
            file.number, bytes.baseAddress?.advanced(by: done), count - done, off_t(start + done))
        }
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { throw FileError("write", path: path) }
        done += written
      }
    }
  }
}
