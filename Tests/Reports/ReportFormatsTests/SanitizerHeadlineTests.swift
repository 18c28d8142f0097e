import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// First lines and summaries of sanitizers' reports.
@Suite struct SanitizerHeadlineTests {
  @Test(
    "Undefined behaviour has its stack behind a logger's words, too",
    arguments: [
      "", "2026-05-01T10:11:12.123456789Z stderr F ", "May 01 10:11:12 till tern[42]: ",
      "till-1 | ",
    ])
  func prefixedUndefinedBehaviour(prefix: String) throws {
    let text = """
      san.cpp:21:55: runtime error: shift exponent 32 is too large for 32-bit type 'int'
          #0 0x555555589be7 in boat::shift(int) /app/src/san.cpp:21:55
          #1 0x55555558a297 in main /app/src/san.cpp:45:39
      """
    let lines = text.split(separator: "\n").map { prefix + $0 + "\n" }
    let report = try #require(SanitizerReaderTests.reports(lines.joined()).first)
    #expect(report.threads.first?.frames.map(\.function) == ["boat::shift(int)", "main"])
  }

  @Test(
    "The headline gives kind, signal, address and pid",
    arguments: [
      (
        "==1==ERROR: AddressSanitizer: attempting double-free on 0x60 in thread T0:",
        "double-free", nil, 0x60
      ),
      (
        "==1==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x61 in thread T0",
        "bad-free", nil, 0x61
      ),
      (
        "==1==ERROR: AddressSanitizer: SEGV on unknown address (pc 0x1 bp 0x2 sp 0x3 T0)", "SEGV",
        "SIGSEGV", nil
      ),
      (
        "==1==ERROR: AddressSanitizer: ABRT on unknown address 0x4234 (pc 0x1 bp 0x2 sp 0x3 T0)",
        "ABRT", "SIGABRT", nil
      ),
      (
        "==1==ERROR: AddressSanitizer: FPE on unknown address 0x62 (pc 0x62 bp 0x2 sp 0x3 T0)",
        "FPE", "SIGFPE", 0x62
      ),
      (
        "==1==ERROR: AddressSanitizer: stack-overflow on address 0x63 (pc 0x1 bp 0x2 sp 0x3 T0)",
        "stack-overflow", nil, 0x63
      ),
      (
        "==1==ERROR: AddressSanitizer: memcpy-param-overlap: memory ranges [0x1,0x2) and [0x1, 0x2) overlap",
        "memcpy-param-overlap", nil, nil
      ),
      (
        "==1==ERROR: AddressSanitizer: requested allocation size 0xfffd exceeds maximum supported size (thread T0)",
        "allocation-size-too-big", nil, nil
      ),
      (
        "==1==ERROR: AddressSanitizer: alloc-dealloc-mismatch (operator new [] vs free) on 0x64",
        "alloc-dealloc-mismatch", nil, 0x64
      ),
      (
        "==1==ERROR: HWAddressSanitizer: tag-mismatch on address 0x65 at pc 0x1", "tag-mismatch",
        nil, 0x65
      ),
      (
        "==1==ERROR: HWAddressSanitizer: allocation-tail-overwritten; heap object [0x66,0x68) of size 2",
        "allocation-tail-overwritten", nil, 0x66
      ),
      (
        "==1==WARNING: MemorySanitizer: use-of-uninitialized-value", "use-of-uninitialized-value",
        nil, nil
      ),
      (
        "==1==ERROR: AddressSanitizer: access-violation on unknown address 0x67 (pc 0x1 bp 0x2 sp 0x3 T0)",
        "access-violation", nil, 0x67
      ),
      (
        "==1== ERROR: AddressSanitizer heap-use-after-free on address 0x68 at pc 0x1",
        "heap-use-after-free", nil, 0x68
      ),
      ("==1== ERROR: libFuzzer: timeout after 26 seconds", "timeout", nil, nil),
    ] as [(String, String, String?, UInt64?)])
  func headline(line: String, type: String, signal: String?, address: UInt64?) throws {
    let report = try #require(
      try SanitizerReaderTests.reports(line + "\n    #0 0x9 in f /a.c:1\n").first)
    #expect(report.reason.type == type)
    #expect(report.reason.signal == signal)
    #expect(report.reason.address?.value == address)
    #expect(report.process.pid == 1)
    #expect(report.threads.first?.frames.count == 1)
  }

  @Test("A report whose first line is damaged has the remaining facts")
  func deadlySignal() throws {
    let report = try #require(
      try SanitizerReaderTests.reports(
        """
        the boat sinksAddressSanitizer:DEADLYSIGNAL
        =================================================================
        ==9==garbled
            #0 0x10 in raise (/lib/libc.so.6+0x90)

        """
      ).first)
    #expect(report.tags[.sanitizer] == "AddressSanitizer")
    #expect(report.reason.type == nil)
    #expect(report.threads[0].frames.map(\.function) == ["raise"])
    #expect(report.notes == ["the line that names the error is missing"])
  }

  @Test("Additional facts of HWAddressSanitizer")
  func hardwareTags() throws {
    let report = try #require(
      try SanitizerReaderTests.reports(
        """
        ==3==ERROR: HWAddressSanitizer: tag-mismatch on address 0x0042a0826510 at pc 0x5500
        WRITE of size 1 at 0x0042a0826510 tags: 05/06(00) (ptr/mem) in thread T1
            #0 0x5500 in row /src/row.c:3:1

        Cause: use-after-free
        0x0042a0826510 is located 0 bytes inside a 16-byte region [0x0042a0826510,0x0042a0826520)
        freed by thread T1 here:
            #0 0x5600 in free (/opt/boat+0x600)

        SUMMARY: HWAddressSanitizer: tag-mismatch /src/row.c:3:1 in row

        """
      ).first)
    #expect(report.reason.type == "tag-mismatch")
    #expect(report.reason.code == "use-after-free")
    #expect(report.tags[.access] == "WRITE of size 1")
    #expect(report.threads[0].index == 1)
    #expect(report.otherStacks.map(\.title) == ["freed by thread T1 here:"])
  }

  @Test("Stacks after the summary belong to the report, if the runtime says what they are")
  func stacksAfterSummary() throws {
    let report = try #require(
      SanitizerReaderTests.reports(
        """
        ==13==ERROR: AddressSanitizer: SEGV on unknown address 0x00000011 (pc 0xb2 bp 0xae sp 0xad T8)
        #0 0xb2011bf4 in boat::row(int) boat/row.cpp:31
        #1 0xb2354f89 in main
        SUMMARY: AddressSanitizer: SEGV (/system/lib/libboat.so+0x71bf4)
        Thread T8 (rower) created by T7 (captain) here:
        #0 0xb2354f89 in pthread_create
        #1 0xb1e18714 in boat::hire boat/hire.cpp:160:18
        Thread T7 (captain) created by T0 (owner) here:
        #0 0xb2354f89 in pthread_create
        stack of another tool:
        #0 0x1 in other::tool()
        """
      ).first)
    #expect(report.threads[0].frames.map(\.function) == ["boat::row(int)", "main"])
    #expect(
      report.otherStacks.map(\.title) == [
        "Thread T8 (rower) created by T7 (captain) here:",
        "Thread T7 (captain) created by T0 (owner) here:",
      ])
    #expect(report.otherStacks.map(\.frames.count) == [2, 1])
  }

  @Test("A stack after the summary is the report's")
  func summaryFirst() throws {
    let reports = try SanitizerReaderTests.reports(
      """
      #2\tINITED cov: 5 ft: 5 corp: 1/1b exec/s: 0 rss: 30Mb
      ==14454== ERROR: libFuzzer: deadly signal
      NOTE: libFuzzer has rudimentary signal handlers.
      SUMMARY: libFuzzer: deadly signal
      dso: id=88668a286c5c0e12 base=0x00005332f2c44000 name=/pkg/bin/boat
         #0    0x00004329b790d331 in __sanitizer_print_stack_trace ../rt/stack.cpp:86 <libasan.so>+0x51331
         #1    0x00005332f2cf10f1 in boat::row(int) ../../boat/row.cc:12 <<application>>+0xad0f1

      MS: 1 ChangeByte-; base unit: 6e41c5a19b9646fe31c77ed7a16829913888c33e
      """)
    #expect(reports.count == 1)
    let functions = reports[0].threads[0].frames.map(\.function)
    #expect(functions == ["__sanitizer_print_stack_trace", "boat::row(int)"])
    #expect(reports[0].otherStacks.isEmpty)
  }
}
