import Bytes
import Files
import Testing

@Suite("Waking a waiting thread")
struct EventDescriptorTests {
  @Test("A notification before the wait ends it, once")
  func eventDescriptor() throws {
    let bell = try EventDescriptor()
    bell.ring()
    bell.ring()
    let pipe = try OpenFile.pipe()
    #expect(!bell.wait(for: pipe.reading.number))
    #expect(!bell.wait(for: pipe.reading.number, milliseconds: 0))
    try ByteView([1]).write(to: pipe.writing.number, named: "pipe")
    #expect(bell.wait(for: pipe.reading.number))
  }
}
