internal import Bytes

/// A line that begins a report inside a log, or belongs to the beginning of one.
struct Headline {
  enum Kind {
    /// `==1==ERROR: AddressSanitizer: …`, `WARNING: ThreadSanitizer: …`, `==1== ERROR: libFuzzer: …`.
    case sanitizer
    /// `AddressSanitizer:DEADLYSIGNAL`, printed before the report itself.
    case deadlySignal
    /// `a.c:1:2: runtime error: …`.
    case runtimeError
    /// `*** Program crashed: …`, `*** Swift runtime failure: …`.
    case swiftCrash
    /// `*** Signal 4: Backtracing from 0x1… done ***`, printed before the report itself.
    case swiftSignal
    /// A line with `"kind": "crashReport"`.
    case swiftJSON
    /// `Current stack trace:`, of Swift runtimes before 5.9 and without the backtracer.
    case swiftTrace
    /// `main/main.swift:1: Fatal error: …`, printed before the report itself.
    case fatalError
  }

  let kind: Kind
  let line: Range<Int>
  /// Where the headline's own text begins; before it stands a logger's prefix.
  let start: Int
  /// Where what the headline says begins.
  let content: Int
}
