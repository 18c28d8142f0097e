public import CrashModel
public import Identifiers
public import JSON

extension CrashReport {
  /// Writes the report's document as the next value.
  public func write(
    to writer: inout JSONWriter, id: String?, received: Timestamp?, group: String? = nil,
    app storeApp: String? = nil, withheld: [String] = []
  ) {
    writer.beginObject()
    writer.member("schema", Self.documentSchema)
    writer.member("id", id ?? incident ?? "")
    writer.member("format", format.description)
    writer.member("kind", kind.rawValue)
    writer.member("incident", incident)
    writer.object("app", of: app)
    writer.member("time", time?.description)
    writer.member("received", received?.description)
    writer.member("group", group)
    writer.member("store_app", storeApp)
    if !withheld.isEmpty { writer.list("withheld", withheld) { $0.string($1) } }
    writer.member("install", install)
    writer.member("user", user)
    writer.object("os", of: os)
    writer.object("device", of: device)
    writer.object("process", of: process)
    writer.object("reason", of: reason)
    writer.member("crashed_thread", crashedThread)
    writer.list("threads", threads) { $0.write($1) }
    writer.list("images", Array(images.enumerated())) { $0.write($1.element, index: $1.offset) }
    if !unloadedImages.isEmpty {
      writer.list("unloaded_images", Array(unloadedImages.enumerated())) {
        $0.write($1.element, index: $1.offset)
      }
    }
    if !attachments.isEmpty { writer.list("attachments", attachments) { $0.write($1) } }
    if !breadcrumbs.isEmpty { writer.list("breadcrumbs", breadcrumbs) { $0.write($1) } }
    if !otherStacks.isEmpty { writer.list("other_stacks", otherStacks) { $0.write($1) } }
    if !tags.isEmpty { writer.map("tags", tags) }
    if !properties.isEmpty { writer.map("properties", properties) }
    if let signature { writer.object("signature", of: signature) }
    if let engine { writer.object("engine", of: engine) }
    writer.member("notes", notes)
    writer.endObject()
  }
}

/// A part of a report that is an object of its own.
private protocol DocumentObject {
  /// Writes the members.
  func write(to writer: inout JSONWriter)
  /// Whether nothing is known, so that the object is left out.
  var isEmpty: Bool { get }
}

extension JSONWriter {
  fileprivate mutating func object(_ key: String, of part: some DocumentObject) {
    guard !part.isEmpty else { return }
    self.key(key)
    beginObject()
    part.write(to: &self)
    endObject()
  }

  fileprivate mutating func list<Element>(
    _ key: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.key(key)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// An object with the keys in order, so that equal reports give equal bytes.
  fileprivate mutating func map<Key: Comparable & CustomStringConvertible>(
    _ key: String, _ members: [Key: String]
  ) {
    self.key(key)
    beginObject()
    for (key, value) in members.sorted(by: { $0.key < $1.key }) { member(key.description, value) }
    endObject()
  }

  fileprivate mutating func write(_ thread: CrashThread) {
    beginObject()
    member("index", thread.index)
    member("id", thread.id)
    member("name", thread.name)
    member("crashed", thread.crashed)
    write(thread.registers)
    member("last_error", thread.lastError)
    write(thread.frames)
    endObject()
  }

  fileprivate mutating func write(_ access: Fault.Access) {
    beginObject()
    member("kind", access.kind.rawValue)
    member("address", access.address.description)
    member("size", access.size)
    member("operand", access.operand)
    if access.isGuardPage { member("guard_page", true) }
    endObject()
  }

  fileprivate mutating func write(_ flip: Fault.BitFlip) {
    beginObject()
    member("address", flip.address.description)
    member("register", flip.register)
    member("confidence", flip.confidence)
    member("was_non_canonical", flip.wasNonCanonical)
    member("is_null", flip.isNull)
    member("was_low", flip.wasLow)
    member("nearby_registers", flip.nearbyRegisters)
    member("poison_registers", flip.hasPoison)
    endObject()
  }

  fileprivate mutating func write(_ attachment: Attachment) {
    beginObject()
    member("name", attachment.name)
    member("content_type", attachment.contentType)
    member("size", attachment.size)
    member("digest", attachment.digest)
    endObject()
  }

  fileprivate mutating func write(_ crumb: Breadcrumb) {
    beginObject()
    member("time", crumb.time.description)
    member("name", crumb.name)
    if !crumb.properties.isEmpty { map("properties", crumb.properties) }
    endObject()
  }

  fileprivate mutating func write(_ stack: NamedStack) {
    beginObject()
    member("title", stack.title)
    write(stack.frames)
    endObject()
  }

  fileprivate mutating func write(_ frames: [Frame]) {
    list("frames", Array(frames.enumerated())) { $0.write($1.element, index: $1.offset) }
  }

  fileprivate mutating func write(_ registers: [Register]) {
    guard !registers.isEmpty else { return }
    key("registers")
    beginObject()
    // A damaged report may give one twice.
    var names: Set<String> = []
    for register in registers where names.insert(register.name).inserted {
      member(register.name, Address(register.value).description)
    }
    endObject()
  }

  private mutating func write(_ frame: Frame, index: Int) {
    beginObject()
    member("index", index)
    member("address", frame.address?.description)
    member("position", frame.position.rawValue)
    member("image", frame.image)
    member("image_offset", frame.imageOffset?.description)
    member("function", frame.function)
    member("symbol", frame.symbol)
    member("symbol_offset", frame.symbolOffset)
    if let size = frame.symbolSize { member("symbol_size", size) }
    member("file", frame.file)
    member("line", frame.line)
    member("column", frame.column)
    if let source = frame.source {
      key("source")
      beginObject()
      member("first", source.first)
      list("lines", source.lines) { $0.string($1) }
      endObject()
    }
    member("inlined", frame.inlined)
    member("in_app", frame.inApp)
    member("trust", frame.trust.rawValue)
    write(frame.registers)
    endObject()
  }

  fileprivate mutating func write(_ image: LoadedImage, index: Int) {
    beginObject()
    member("index", index)
    member("name", image.name)
    member("path", image.path)
    member("arch", image.architecture?.description)
    member("debug_id", image.debugID?.description)
    member("code_id", image.codeID?.description)
    member("debug_file", image.debugFile)
    member("base", image.base?.description)
    member("size", image.size)
    member("version", image.version)
    if let package = image.package {
      key("package")
      write(package)
    }
    if let symbols = image.symbols {
      key("symbols")
      beginObject()
      member("status", symbols.verdict.rawValue)
      member("file", symbols.file)
      if symbols.match == .name {
        member("match", symbols.match.rawValue)
        member("debug_id", symbols.assumedID?.description)
      }
      list("tried", symbols.tried) { $0.write($1) }
      endObject()
    }
    endObject()
  }

  private mutating func write(_ package: ImagePackage) {
    beginObject()
    member("type", package.type)
    member("name", package.name)
    member("version", package.version)
    member("arch", package.architecture)
    member("os", package.os)
    member("os_cpe", package.osCPE)
    member("debug_info_url", package.debugInfoURL)
    endObject()
  }

  private mutating func write(_ candidate: SymbolCandidate) {
    beginObject()
    member("file", candidate.file)
    member("verdict", candidate.verdict.rawValue)
    member("debug_id", candidate.debugID?.description)
    member("arch", candidate.architecture?.description)
    member("detail", candidate.detail)
    endObject()
  }

  fileprivate mutating func write(_ exception: LanguageException, depth: Int) {
    beginObject()
    member("type", exception.type)
    member("message", exception.message)
    write(exception.frames)
    let inner = depth < CrashReport.maximumExceptionDepth ? exception.inner : []
    list("inner", inner) { $0.write($1, depth: depth + 1) }
    endObject()
  }

  fileprivate mutating func write(_ step: SignatureStep) {
    beginObject()
    member("frame", step.frame)
    member("subject", step.subject)
    member("result", step.result)
    member("class", step.frameClass)
    member("rule", step.rule)
    member("used", step.used)
    member("left_out", step.leftOut?.rawValue)
    endObject()
  }
}

extension AppIdentity: DocumentObject {
  var isEmpty: Bool { self == AppIdentity() }

  func write(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("identifier", identifier)
    writer.member("version", version)
    writer.member("build", build)
  }
}

extension OperatingSystem: DocumentObject {
  var isEmpty: Bool { self == OperatingSystem() }

  func write(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("version", version)
    writer.member("build", build)
  }
}

extension Device: DocumentObject {
  var isEmpty: Bool { self == Device() }

  func write(to writer: inout JSONWriter) {
    writer.member("model", model)
    writer.member("arch", architecture?.description)
  }
}

extension ProcessDetails: DocumentObject {
  var isEmpty: Bool { self == ProcessDetails() }

  func write(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("pid", pid)
    writer.member("path", path)
    if let uptime, uptime.isFinite { writer.member("uptime", uptime) }
  }
}

extension CrashReason: DocumentObject {
  var isEmpty: Bool { self == CrashReason() }

  func write(to writer: inout JSONWriter) {
    writer.member("type", type)
    writer.member("signal", signal)
    writer.member("code", code)
    writer.member("address", address?.description)
    writer.member("message", message)
    if let exception {
      writer.key("exception")
      writer.write(exception, depth: 1)
    }
    if let fault { writer.object("fault", of: fault) }
  }
}

extension Fault: DocumentObject {
  var isEmpty: Bool { false }

  func write(to writer: inout JSONWriter) {
    writer.member("summary", summary)
    writer.member("kind", kind?.rawValue)
    writer.member("address", address?.description)
    writer.member("instruction", instruction)
    if !accesses.isEmpty { writer.list("accesses", accesses) { $0.write($1) } }
    if !bitFlips.isEmpty { writer.list("bit_flips", bitFlips) { $0.write($1) } }
  }
}

extension Signature: DocumentObject {
  var isEmpty: Bool { false }

  func write(to writer: inout JSONWriter) {
    writer.member("text", text)
    writer.member("hash", key)
    if !alternativeKeys.isEmpty { writer.member("alternatives", alternativeKeys) }
    writer.member("category", category.rawValue)
    writer.member("rules", rules)
    writer.member("provisional", isProvisional)
    if !waitsFor.isEmpty { writer.member("waits_for", waitsFor.map(\.description)) }
    writer.list("steps", steps) { $0.write($1) }
  }
}

extension EngineRecord: DocumentObject {
  var isEmpty: Bool { false }

  func write(to writer: inout JSONWriter) {
    writer.member("version", version)
    writer.member("symbol_cache", symbolCacheVersion)
    writer.member("rules_digest", rulesDigest)
    writer.member("scrub_rules", scrubRules)
    let files = debugFiles.map { ($0.key.description, $0.value) }
    writer.map("debug_files", Dictionary(files) { first, _ in first })
  }
}
