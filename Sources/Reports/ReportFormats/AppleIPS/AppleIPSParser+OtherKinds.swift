internal import Bytes
internal import CrashModel
internal import JSON

extension AppleIPSParser {
  /// Members of reports that are not about a crash: memory running out, kernel panics, stackshots.
  mutating func readOtherKinds(_ reader: inout JSONReader) throws(ParseError) {
    if reader.keyIs("processes") {
      var jetsam = resource ?? AppleJetsam()
      defer { resource = jetsam }
      if jetsam.count == 0 { try jetsam.readProcesses(&reader) }
    } else if reader.keyIs("largestProcess") {
      let largest = try reader.readString()
      if resource == nil { resource = AppleJetsam() }
      if resource?.largest == nil { resource?.largest = largest }
    } else if reader.keyIs("memoryStatus"), bugType == "298" {
      var jetsam = resource ?? AppleJetsam()
      defer { resource = jetsam }
      try jetsam.readMemory(&reader)
    } else if reader.keyIs("panicString") || reader.keyIs("string") {
      let text = try reader.readString()
      if panic == nil, let text, text.utf8.count > 0 { panic = AppleKernelPanic(text: text) }
    } else if reader.keyIs("macOSPanicString") {
      keepTag(.macOSPanic, try reader.readString()?.trimmingBlankEnds())
    } else if reader.keyIs("panicFlags") {
      keepTag(.panicFlags, try reader.readString())
    }
  }
}
