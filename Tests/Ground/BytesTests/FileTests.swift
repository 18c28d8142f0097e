import Bytes
import Glibc
import Synchronization
import TestSupport
import Testing

@Suite("Files")
struct FileTests {
  @Test("A file that reports a size of 0, and has bytes, is empty or complete")
  func withoutSize() throws {
    #expect(try ByteView(reading: "/proc/self/status", limit: 1 << 20).isEmpty)
  }

  /// A pipe takes 64 KiB at a time.
  @Test("Bytes are written in as many steps as needed", arguments: [0, 1, 1 << 20])
  func write(count: Int) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let read = Mutex<[UInt8]>([])
    let isWriter = Atomic(true)
    runThreads(2) {
      if isWriter.exchange(false, ordering: .relaxed) {
        try? ByteView(bytes).write(to: writing, named: "pipe")
        close(writing)
        return
      }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let got = Glibc.read(reading, &buffer, buffer.count)
        guard got > 0 else { return }
        read.withLock { $0 += buffer[..<got] }
      }
    }
    #expect(read.withLock { $0 } == bytes)
  }

  @Test("A full device is an error with its reason")
  func full() throws {
    let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
    try #require(device >= 0)
    defer { close(device) }
    let error = #expect(throws: FileError.self) {
      try ByteView([1]).write(to: device, named: "x")
    }
    #expect(error?.code == ENOSPC && error?.path == "x")
  }
}
