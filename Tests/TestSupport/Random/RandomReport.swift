public import CrashModel
internal import Identifiers

/// A report in which every field of the model may be set, to anything that it can hold.
public struct RandomReport {
  private var generator: SplitMix
  private let longest: Int

  /// - Parameter longest: The most characters of a text.
  public init(seed: UInt64, longest: Int = 8) {
    generator = SplitMix(seed: seed)
    self.longest = longest
  }

  public mutating func next() -> CrashReport {
    var report = CrashReport(
      format: pick([.appleIPS, .sanitizer, ReportFormat(text())]),
      kind: pick([.crash, .handled, .hang, .oom, .other]))
    report.incident = maybe { $0.text() }
    report.app = AppIdentity(
      name: maybe { $0.text() }, identifier: maybe { $0.text() }, version: maybe { $0.text() },
      build: maybe { $0.text() })
    report.time = maybe { $0.time() }
    report.install = maybe { $0.text() }
    report.user = maybe { $0.text() }
    report.os = OperatingSystem(
      name: maybe { $0.text() }, version: maybe { $0.text() }, build: maybe { $0.text() })
    report.device = Device(
      model: maybe { $0.text() }, architecture: maybe { Architecture($0.text()) })
    report.process = ProcessDetails(
      name: maybe { $0.text() }, pid: maybe { Int(truncatingIfNeeded: $0.number()) },
      path: maybe { $0.text() }, uptime: maybe { Double($0.number()) / 1000 })
    report.reason = CrashReason(
      type: maybe { $0.text() }, signal: maybe { $0.text() }, code: maybe { $0.text() },
      address: maybe { Address($0.number()) }, message: maybe { $0.text() },
      exception: maybe { $0.exception(depth: 0) }, fault: maybe { $0.fault() })
    report.threads = list { $0.thread() }
    report.crashedThread =
      report.threads.isEmpty ? nil : Int.random(in: report.threads.indices, using: &generator)
    report.images = list { $0.image() }
    report.unloadedImages = list { $0.image() }
    report.otherStacks = list { random in
      NamedStack(title: random.text(), frames: random.list { $0.frame() })
    }
    report.attachments = list { random in
      Attachment(
        name: random.text(), contentType: random.text(),
        size: Int(truncatingIfNeeded: random.number()), digest: random.text())
    }
    report.tags = Dictionary(list { (ReportTag($0.text()), $0.text()) }) { first, _ in first }
    report.notes = list { $0.text() }
    report.signature = maybe { $0.signature() }
    report.engine = maybe { random in
      EngineRecord(
        version: random.text(),
        debugFiles: Dictionary(random.list { ($0.debugID(), $0.text()) }) { first, _ in first },
        rulesDigest: random.maybe { $0.text() },
        scrubRules: random.maybe { $0.text() }, symbolCacheVersion: random.maybe { _ in 3 })
    }
    return report
  }

  private mutating func fault() -> Fault {
    Fault(
      summary: text(), kind: maybe { $0.pick(Fault.Kind.allCases) },
      address: maybe { Address($0.number()) }, instruction: maybe { $0.text() },
      accesses: list { random in
        Fault.Access(
          random.pick(Fault.Access.Kind.allCases), at: Address(random.number()),
          size: random.maybe { Int(truncatingIfNeeded: $0.number()) },
          operand: random.maybe { $0.text() }, isGuardPage: random.flip())
      },
      bitFlips: list { random in
        Fault.BitFlip(
          address: Address(random.number()), register: random.maybe { $0.text() },
          confidence: Double(random.number() % 1001) / 1000, wasNonCanonical: random.flip(),
          isNull: random.flip(), wasLow: random.flip(),
          nearbyRegisters: Int(truncatingIfNeeded: random.number()), hasPoison: random.flip())
      })
  }

  private mutating func exception(depth: Int) -> LanguageException {
    LanguageException(
      type: maybe { $0.text() }, message: maybe { $0.text() }, frames: list { $0.frame() },
      inner: depth < 4 ? list { $0.exception(depth: depth + 1) } : [])
  }

  private mutating func thread() -> CrashThread {
    var thread = CrashThread(
      index: Int(truncatingIfNeeded: number()), id: maybe { $0.number() },
      name: maybe { $0.text() },
      crashed: flip(), registers: registers(),
      frames: list { $0.frame() })
    thread.lastError = maybe { $0.text() }
    return thread
  }

  /// No name appears twice: a document has one value of each.
  private mutating func registers() -> [Register] {
    var names: Set<String> = []
    return list { Register($0.text(), $0.number()) }.filter { names.insert($0.name).inserted }
  }

  private mutating func frame() -> Frame {
    var frame = Frame(
      address: maybe { Address($0.number()) }, position: pick([.exact, .returnAddress, .adjusted]),
      image: maybe { Int($0.number() % 1000) }, imageOffset: maybe { ImageOffset($0.number()) },
      function: maybe { $0.text() }, symbol: maybe { $0.text() },
      symbolOffset: maybe { $0.number() }, file: maybe { $0.text() },
      line: maybe { Int(truncatingIfNeeded: $0.number()) },
      column: maybe { Int(truncatingIfNeeded: $0.number()) }, inlined: flip(),
      inApp: maybe { $0.flip() },
      trust: pick(FrameTrust.allCases))
    frame.registers = maybe { $0.registers() } ?? []
    return frame
  }

  private mutating func image() -> LoadedImage {
    var image = LoadedImage(
      name: text(), path: maybe { $0.text() }, architecture: maybe { Architecture($0.text()) },
      debugID: maybe { $0.debugID() }, codeID: maybe { CodeID([UInt8($0.number() & 255), 7]) },
      base: maybe { Address($0.number()) }, size: maybe { $0.number() },
      version: maybe { $0.text() })
    image.debugFile = maybe { $0.text() }
    image.package = maybe { random in
      ImagePackage(
        type: random.maybe { $0.text() }, name: random.text(), version: random.maybe { $0.text() },
        architecture: random.maybe { $0.text() }, os: random.maybe { $0.text() },
        osCPE: random.maybe { $0.text() }, debugInfoURL: random.maybe { $0.text() })
    }
    image.symbols = maybe { random in
      var status = SymbolStatus(
        random.pick([.found, .stripped, .missing, .damaged, .unneeded]),
        file: random.maybe { $0.text() },
        tried: random.list { random in
          SymbolCandidate(
            random.text(), random.pick(SymbolCandidate.Verdict.allCases),
            debugID: random.maybe { $0.debugID() },
            architecture: random.maybe { Architecture($0.text()) },
            detail: random.maybe { $0.text() })
        })
      if random.flip() {
        status.match = .name
        status.assumedID = random.maybe { $0.debugID() }
      }
      return status
    }
    return image
  }

  private mutating func signature() -> Signature {
    Signature(
      text: text(), key: text(), alternativeKeys: list { $0.text() },
      category: pick([
        .handled, .oom, .watchdog, .hang, .stackOverflow, .assertion, .abort, .exception, .signal,
      ]),
      rules: text(), isProvisional: flip(), waitsFor: list { $0.debugID() },
      steps: list { random in
        SignatureStep(
          frame: random.maybe { Int(truncatingIfNeeded: $0.number()) }, subject: random.text(),
          result: random.text(), frameClass: random.maybe { $0.text() }, rule: random.text(),
          used: random.flip(), leftOut: random.maybe { $0.pick([.above, .below, .byClass]) })
      })
  }

  private mutating func debugID() -> DebugID {
    let words = [number(), number()]
    let bytes = words.flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return DebugID(uuid: bytes, age: flip() ? 0 : UInt32(truncatingIfNeeded: number()))
  }

  private mutating func time() -> Timestamp {
    Timestamp(
      seconds: Int64.random(in: -2_000_000_000...200_000_000_000, using: &generator),
      nanoseconds: flip() ? 0 : Int32.random(in: 0..<1_000_000_000, using: &generator))
  }

  public mutating func text() -> String {
    let alphabet: [Unicode.Scalar] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\0", "\u{1b}", "\u{7f}", "\u{9b}", "ß", "é",
      "\u{301}", "\u{202e}", "\u{2028}", "\u{feff}", "\u{fffd}", "\u{d7ff}", "\u{e000}", "🐚",
      "\u{10ffff}", "字", "Ｗ", "א", "\u{200d}", "👩", "\u{fe0f}", "\t", ":", "`", "<", "|", "[",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...longest, using: &generator) {
      text.unicodeScalars.append(pick(alphabet))
    }
    return text
  }

  /// Any number, with those at the edges of the ranges more often.
  private mutating func number() -> UInt64 {
    flip()
      ? pick([0, 1, 1 << 31, 1 << 53 + 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max])
      : generator.next() >> UInt64.random(in: 0..<64, using: &generator)
  }

  private mutating func flip() -> Bool { Bool.random(using: &generator) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }

  private mutating func maybe<Value>(_ make: (inout RandomReport) -> Value) -> Value? {
    flip() ? make(&self) : nil
  }

  private mutating func list<Value>(_ make: (inout RandomReport) -> Value) -> [Value] {
    let count = Int.random(in: 0...3, using: &generator)
    return (0..<count).map { _ in make(&self) }
  }
}
