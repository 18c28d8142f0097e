import Bytes
import TestSupport
import Testing

@Suite("Cost of a thread")
struct ThreadStorageTests {
  /// The C library clears a thread's own storage when the thread starts: a server has seventy threads.
  @Test("A thread has less than 4 KiB of storage of its own")
  func size() throws {
    let program = try ByteView(mapping: BuiltProgram.mayday)
    // A 64-bit ELF file's table of segments, one of which is the thread-local storage (7).
    var header = ByteReader(program.clamped(32..<64).bytes, reading: "ELF header")
    let table = Int(try header.read(UInt64.self))
    header = ByteReader(program.clamped(54..<58).bytes, reading: "ELF header")
    let (size, count) = (Int(try header.read(UInt16.self)), Int(try header.read(UInt16.self)))
    var sizes: [UInt64] = []
    for number in 0..<count {
      let start = table + number * size
      var segment = ByteReader(program.clamped(start..<start + size).bytes, reading: "segment")
      guard try segment.read(UInt32.self) == 7 else { continue }
      var rest = ByteReader(program.clamped(start + 40..<start + 48).bytes, reading: "segment")
      sizes.append(try rest.read())
    }
    #expect(sizes.count == 1 && sizes[0] < 4_096, "\(sizes)")
  }
}
