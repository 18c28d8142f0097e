import Bytes
import Testing

@Suite("Files")
struct FileTests {
  @Test("A file that says it has no bytes, and has some, is empty or whole")
  func withoutSize() throws {
    #expect(try ByteView(reading: "/proc/self/status", limit: 1 << 20).isEmpty)
  }
}
