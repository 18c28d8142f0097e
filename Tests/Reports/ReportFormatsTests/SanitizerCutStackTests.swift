import CrashModel
import ReportFormats
import Testing

@Suite("Sanitizers' reports without their own stack") struct SanitizerCutStackTests {
  @Test("The summary names the location, not what created the thread or freed the memory")
  func summary() throws {
    for heading in ["Thread T3 created by T0 here:", "freed by thread T0 here:"] {
      let report = try #require(
        try LogReaderChecks.reports(
          """
          ==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x4f1234
          READ of size 8 at 0x602000000010 thread T3
          \(heading)
              #0 0x4a1b2c in pthread_create asan_interceptors.cpp:208:3
              #1 0x4a55aa in tern::open(void*) /src/pool.cc:33:1

          SUMMARY: AddressSanitizer: heap-use-after-free /src/pool.cc:12:3 in tern::Pool::take()

          """
        ).first)
      let frames = try #require(report.threads.first?.frames)
      #expect(frames.map(\.function) == ["tern::Pool::take()"])
      #expect(frames.first?.file == "/src/pool.cc" && frames.first?.line == 12)
      #expect(report.otherStacks.map(\.frames.count) == [2])
    }
  }
}
