internal import CrashModel
internal import Identifiers
internal import JSON

/// A field is read if it has the right type and left out if not: a document written by a later
/// version, with words unknown here, can still be read.
extension CrashReport {
  init(_ value: JSONValue, format: ReportFormat) {
    self.init(
      format: format, kind: value["kind"]?.string.flatMap(ReportKind.init) ?? .other)
    incident = value["incident"]?.string
    if let app = value["app"] { self.app = AppIdentity(app) }
    time = value["time"]?.time
    install = value["install"]?.string
    user = value["user"]?.string
    if let os = value["os"] { self.os = OperatingSystem(os) }
    if let device = value["device"] { self.device = Device(device) }
    if let process = value["process"] { self.process = ProcessDetails(process) }
    if let reason = value["reason"] { self.reason = CrashReason(reason) }
    threads = value.list("threads").map(CrashThread.init)
    images = value.list("images").map(LoadedImage.init)
    unloadedImages = value.list("unloaded_images").map(LoadedImage.init)
    crashedThread = value["crashed_thread"]?.integer.flatMap {
      threads.indices.contains($0) ? $0 : nil
    }
    attachments = value.list("attachments").map(Attachment.init)
    breadcrumbs = value.list("breadcrumbs").compactMap(Breadcrumb.init)
    otherStacks = value.list("other_stacks").map(NamedStack.init)
    tags = value.map("tags", key: ReportTag.init)
    properties = value.map("properties")
    notes = value.strings("notes")
    signature = value["signature"].flatMap(Signature.init)
    engine = value["engine"].map(EngineRecord.init)
  }
}

extension JSONValue {
  var time: Timestamp? { string.flatMap(Timestamp.init) }

  fileprivate var debugID: DebugID? { string.flatMap { DebugID($0) } }

  fileprivate func list(_ key: String) -> [JSONValue] { self[key]?.array ?? [] }

  fileprivate func strings(_ key: String) -> [String] { list(key).compactMap(\.string) }

  fileprivate func map(_ name: String) -> [String: String] { map(name) { $0 } }

  fileprivate func map<Key>(_ name: String, key: (String) -> Key) -> [Key: String] {
    let members = self[name]?.object ?? []
    return Dictionary(
      members.compactMap { member in member.value.string.map { (key(member.key), $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}

extension AppIdentity {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value["name"]?.string, identifier: value["identifier"]?.string,
      version: value["version"]?.string, build: value["build"]?.string)
  }
}

extension OperatingSystem {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value["name"]?.string, version: value["version"]?.string,
      build: value["build"]?.string)
  }
}

extension Device {
  fileprivate init(_ value: JSONValue) {
    self.init(
      model: value["model"]?.string, architecture: value["arch"]?.string.map(Architecture.init))
  }
}

extension ProcessDetails {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value["name"]?.string, pid: value["pid"]?.integer, path: value["path"]?.string,
      uptime: value["uptime"]?.double)
  }
}

extension CrashReason {
  fileprivate init(_ value: JSONValue) {
    self.init(
      type: value["type"]?.string, signal: value["signal"]?.string, code: value["code"]?.string,
      address: value["address"]?.address.map(Address.init), message: value["message"]?.string,
      exception: value["exception"].map { LanguageException($0, depth: 1) },
      fault: value["fault"].flatMap(Fault.init))
  }
}

extension Fault {
  fileprivate init?(_ value: JSONValue) {
    guard let summary = value["summary"]?.string else { return nil }
    self.init(
      summary: summary, kind: value["kind"]?.string.flatMap(Kind.init),
      address: value["address"]?.address.map(Address.init),
      instruction: value["instruction"]?.string,
      accesses: value.list("accesses").compactMap(Access.init),
      bitFlips: value.list("bit_flips").compactMap(BitFlip.init))
  }
}

extension Fault.Access {
  fileprivate init?(_ value: JSONValue) {
    guard let kind = value["kind"]?.string.flatMap(Kind.init),
      let address = value["address"]?.address
    else { return nil }
    self.init(
      kind, at: Address(address), size: value["size"]?.integer, operand: value["operand"]?.string,
      isGuardPage: value["guard_page"]?.bool ?? false)
  }
}

extension Fault.BitFlip {
  fileprivate init?(_ value: JSONValue) {
    guard let address = value["address"]?.address, let confidence = value["confidence"]?.double
    else { return nil }
    self.init(
      address: Address(address), register: value["register"]?.string, confidence: confidence,
      wasNonCanonical: value["was_non_canonical"]?.bool ?? false,
      isNull: value["is_null"]?.bool ?? false, wasLow: value["was_low"]?.bool ?? false,
      nearbyRegisters: value["nearby_registers"]?.integer ?? 0,
      hasPoison: value["poison_registers"]?.bool ?? false)
  }
}

extension LanguageException {
  /// The recursion ends at ``CrashReport/maximumExceptionDepth``.
  fileprivate init(_ value: JSONValue, depth: Int) {
    let inner = depth < CrashReport.maximumExceptionDepth ? value.list("inner") : []
    self.init(
      type: value["type"]?.string, message: value["message"]?.string,
      frames: value.list("frames").map(Frame.init),
      inner: inner.map { LanguageException($0, depth: depth + 1) })
  }
}

extension CrashThread {
  fileprivate init(_ value: JSONValue) {
    self.init(
      index: value["index"]?.integer ?? 0, id: value["id"]?.unsigned, name: value["name"]?.string,
      crashed: value["crashed"]?.bool ?? false,
      registers: [Register](value["registers"]),
      frames: value.list("frames").map(Frame.init))
    lastError = value["last_error"]?.string
  }
}

extension [Register] {
  fileprivate init(_ value: JSONValue?) {
    self = (value?.object ?? []).compactMap { member in
      member.value.address.map { Register(member.key, $0) }
    }
  }
}

extension NamedStack {
  fileprivate init(_ value: JSONValue) {
    self.init(
      title: value["title"]?.string ?? "", frames: value.list("frames").map(Frame.init))
  }
}

extension Frame {
  fileprivate init(_ value: JSONValue) {
    self.init(
      address: value["address"]?.address.map(Address.init),
      position: value["position"]?.string.flatMap(CodePosition.init) ?? .exact,
      image: value["image"]?.integer,
      imageOffset: value["image_offset"]?.address.map(ImageOffset.init),
      function: value["function"]?.string, symbol: value["symbol"]?.string,
      symbolOffset: value["symbol_offset"]?.unsigned, file: value["file"]?.string,
      line: value["line"]?.integer, column: value["column"]?.integer,
      inlined: value["inlined"]?.bool ?? false, inApp: value["in_app"]?.bool,
      trust: value["trust"]?.string.flatMap(FrameTrust.init) ?? .given)
    registers = [Register](value["registers"])
    symbolSize = value["symbol_size"]?.unsigned
    if let source = value["source"], let first = source["first"]?.integer {
      self.source = SourceExcerpt(
        first: first, lines: source.list("lines").map { $0.string ?? "" })
    }
  }
}

extension Attachment {
  init(_ value: JSONValue) {
    self.init(
      name: value["name"]?.string ?? "", contentType: value["content_type"]?.string ?? "",
      size: value["size"]?.integer ?? 0, digest: value["digest"]?.string ?? "")
  }
}

extension LoadedImage {
  fileprivate init(_ value: JSONValue) {
    self.init(
      name: value["name"]?.string ?? "", path: value["path"]?.string,
      architecture: value["arch"]?.string.map(Architecture.init),
      debugID: value["debug_id"]?.debugID,
      codeID: value["code_id"]?.string.flatMap { CodeID($0) },
      base: value["base"]?.address.map(Address.init), size: value["size"]?.unsigned,
      version: value["version"]?.string)
    debugFile = value["debug_file"]?.string
    package = value["package"].flatMap(ImagePackage.init)
    symbols = value["symbols"].flatMap(SymbolStatus.init)
  }
}

extension ImagePackage {
  fileprivate init?(_ value: JSONValue) {
    guard let name = value["name"]?.string else { return nil }
    self.init(
      type: value["type"]?.string, name: name, version: value["version"]?.string,
      architecture: value["arch"]?.string, os: value["os"]?.string,
      osCPE: value["os_cpe"]?.string, debugInfoURL: value["debug_info_url"]?.string)
  }
}

extension SymbolStatus {
  fileprivate init?(_ value: JSONValue) {
    guard let verdict = value["status"]?.string.flatMap(Verdict.init) else { return nil }
    self.init(
      verdict, file: value["file"]?.string,
      tried: value.list("tried").compactMap(SymbolCandidate.init))
    match = value["match"]?.string.flatMap(Match.init) ?? .id
    assumedID = match == .name ? value["debug_id"]?.debugID : nil
  }
}

extension SymbolCandidate {
  fileprivate init?(_ value: JSONValue) {
    guard let file = value["file"]?.string,
      let verdict = value["verdict"]?.string.flatMap(Verdict.init)
    else { return nil }
    self.init(
      file, verdict, debugID: value["debug_id"]?.debugID,
      architecture: value["arch"]?.string.map(Architecture.init),
      detail: value["detail"]?.string)
  }
}

extension Signature {
  fileprivate init?(_ value: JSONValue) {
    guard let text = value["text"]?.string, let key = value["hash"]?.string,
      let category = value["category"]?.string.flatMap(SignatureCategory.init)
    else { return nil }
    self.init(
      text: text, key: key, alternativeKeys: value.strings("alternatives"), category: category,
      rules: value["rules"]?.string ?? "", isProvisional: value["provisional"]?.bool ?? false,
      waitsFor: value.list("waits_for").compactMap(\.debugID),
      steps: value.list("steps").map(SignatureStep.init))
  }
}

extension SignatureStep {
  fileprivate init(_ value: JSONValue) {
    self.init(
      frame: value["frame"]?.integer, subject: value["subject"]?.string ?? "",
      result: value["result"]?.string ?? "", frameClass: value["class"]?.string,
      rule: value["rule"]?.string ?? "", used: value["used"]?.bool ?? false,
      leftOut: value["left_out"]?.string.flatMap(LeftOut.init))
  }
}

extension EngineRecord {
  fileprivate init(_ value: JSONValue) {
    let files = value.map("debug_files").compactMap { id, digest in
      DebugID(id).map { ($0, digest) }
    }
    self.init(
      version: value["version"]?.string ?? "",
      debugFiles: Dictionary(files) { first, _ in first },
      rulesDigest: value["rules_digest"]?.string,
      scrubRules: value["scrub_rules"]?.string,
      symbolCacheVersion: value["symbol_cache"]?.integer)
  }
}

extension Breadcrumb {
  fileprivate init?(_ value: JSONValue) {
    guard let time = value["time"]?.time, let name = value["name"]?.string else { return nil }
    self.init(time: time, name: name, properties: value.map("properties"))
  }
}
