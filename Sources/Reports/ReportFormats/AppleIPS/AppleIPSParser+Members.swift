internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension AppleIPSParser {
  /// Reads the header or the body: the two share no key that means different things.
  mutating func readDocument(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      if reader.keyIs("threads") {
        try readThreads(&reader)
      } else if reader.keyIs("usedImages") {
        try readImages(&reader)
      } else if try !readReason(&reader), try !readProcess(&reader), try !readIdentity(&reader) {
        try readOtherKinds(&reader)
      }
    }
  }

  /// - Returns: Whether the member was one of these.
  private mutating func readReason(_ reader: inout JSONReader) throws(ParseError) -> Bool {
    if reader.keyIs("exception") {
      try readException(&reader)
    } else if reader.keyIs("termination") {
      try readTermination(&reader)
    } else if reader.keyIs("faultingThread") {
      keepFirst(&faultingThread, try reader.readInt())
    } else if reader.keyIs("lastExceptionBacktrace") {
      // The exception was caught in a call, so the youngest frame is a return address too.
      try Self.readFrames(
        &reader, into: &exceptionStack, first: .returnAddress, counting: &frameCount)
    } else if reader.keyIs("asi") {
      try readInformation(&reader)
    } else if reader.keyIs("asiBacktraces") {
      try readInformationStacks(&reader)
    } else if reader.keyIs("exceptionReason") {
      try readExceptionReason(&reader)
    } else if reader.keyIs("legacyInfo") {
      try readLegacyInformation(&reader)
    } else if reader.keyIs("vmRegionInfo") || reader.keyIs("vmregioninfo") {
      keepTag(.vmRegion, try reader.readString().map(Self.region))
    } else if reader.keyIs("reportNotes") {
      guard try reader.beginArray() else { return true }
      while try reader.nextElement() {
        if let note = try reader.readString(), report.notes.count < AppleLimits.textLines {
          report.notes.append("The reporter's note: \(note)")
        }
      }
    } else {
      return false
    }
    return true
  }

  private mutating func readProcess(_ reader: inout JSONReader) throws(ParseError) -> Bool {
    if reader.keyIs("procName") {
      keepFirst(&report.process.name, try reader.readString())
    } else if reader.keyIs("procPath") {
      keepFirst(&report.process.path, try reader.readString())
    } else if reader.keyIs("pid") {
      keepFirst(&report.process.pid, try reader.readInt())
    } else if reader.keyIs("procLaunch") {
      keepFirst(&launchTime, try reader.readString())
    } else if reader.keyIs("captureTime") {
      keepFirst(&captureTime, try reader.readString())
    } else if reader.keyIs("procRole") {
      keepTag(.processRole, try reader.readString())
    } else if reader.keyIs("parentProc") {
      keepTag(.processParent, try reader.readString())
    } else if reader.keyIs("translated") {
      if try reader.readBool() == true { keepTag(.processTranslated, "true") }
    } else if reader.keyIs("isSimulated") {
      if try reader.readBool() == true { isSimulated = true }
    } else if reader.keyIs("modelCode") || reader.keyIs("product") {
      keepFirst(&report.device.model, try reader.readString())
    } else if reader.keyIs("cpuType") {
      let architecture = try reader.readString().flatMap { Architecture(appleCodeType: $0) }
      keepFirst(&report.device.architecture, architecture)
    } else if reader.keyIs("osVersion") {
      try readSystem(&reader)
    } else if reader.keyIs("bundleInfo") {
      try readBundle(&reader)
    } else {
      return false
    }
    return true
  }

  private mutating func readIdentity(_ reader: inout JSONReader) throws(ParseError) -> Bool {
    if reader.keyIs("bug_type") {
      // Apple writes a string; some tools a number.
      let isText = try reader.peek() == .string
      keepFirst(&bugType, isText ? try reader.readString() : try reader.readInt().map(String.init))
    } else if reader.keyIs("incident") {
      keepFirst(&report.incident, try reader.readString())
    } else if reader.keyIs("crashReporterKey") || reader.keyIs("crashreporter_key") {
      keepFirst(&report.install, try reader.readString())
    } else if reader.keyIs("incident_id") {
      keepFirst(&headerIncident, try reader.readString())
    } else if reader.keyIs("app_name") {
      keepFirst(&headerApp.name, try reader.readString())
    } else if reader.keyIs("name") {
      keepFirst(&headerName, try reader.readString())
    } else if reader.keyIs("app_version") {
      keepFirst(&headerApp.version, try reader.readString())
    } else if reader.keyIs("build_version") {
      keepFirst(&headerApp.build, try reader.readString())
    } else if reader.keyIs("bundleID") {
      keepFirst(&headerApp.identifier, try reader.readString())
    } else if reader.keyIs("os_version") || reader.keyIs("build") {
      keepFirst(&headerSystem, try reader.readString())
    } else if reader.keyIs("timestamp") {
      keepFirst(&headerTime, try reader.readString())
    } else if reader.keyIs("date") {
      keepFirst(&captureTime, try reader.readString())
    } else if reader.keyIs("platform") {
      keepTag(.platform, try reader.readInt().flatMap { AppleNames.platform($0) })
    } else {
      return false
    }
    return true
  }

  private mutating func readSystem(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      if reader.keyIs("train") {
        guard let train = try reader.readString() else { continue }
        let system = OperatingSystem(apple: train)
        keepFirst(&report.os.name, system.name)
        keepFirst(&report.os.version, system.version)
      } else if reader.keyIs("build") {
        keepFirst(&report.os.build, try reader.readString())
      } else if reader.keyIs("releaseType") {
        keepTag(.osReleaseType, try reader.readString())
      }
    }
  }

  private mutating func readBundle(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      if reader.keyIs("CFBundleIdentifier") {
        keepFirst(&report.app.identifier, try reader.readString())
      } else if reader.keyIs("CFBundleShortVersionString") {
        keepFirst(&report.app.version, try reader.readString())
      } else if reader.keyIs("CFBundleVersion") {
        keepFirst(&report.app.build, try reader.readString())
      }
    }
  }

  /// The first line of a description of the memory around the fault, and the line with an arrow, which is the
  /// region of the fault itself: `--->  STACK GUARD  16bd58000-16f55c000 ...`.
  private static func region(_ text: String) -> String {
    let lines = text.split(maxSplits: 16) { $0.isNewline }
    let own = lines.dropFirst().first { $0.hasPrefix("--->") }
    return [lines.first, own].compactMap { $0 }.joined(separator: " ")
  }

  mutating func keepTag(_ tag: ReportTag, _ value: String?) {
    guard let value, !value.isEmpty, report.tags[tag] == nil else { return }
    report.tags[tag] = value
  }
}
