internal import Bytes
package import CrashModel
internal import CrashService
internal import Identifiers
package import JSON

/// A report as the JSON of `minidump-stackwalk --json`, which Socorro calls `json_dump`.
///
/// It has every member that rust-minidump writes; unknown values are `null`. Addresses are padded to the
/// processor's width.
///
/// Source: rust-minidump, `minidump-processor/json-schema.md` and `minidump-processor/src/process_state.rs`.
package struct StackwalkDocument {
  private let facts: StackwalkFacts
  private var report: CrashReport { facts.report }

  package init(_ report: CrashReport) { facts = StackwalkFacts(report) }

  /// Writes the document as the next value.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.value("status", "OK")
    writer.value("pid", report.process.pid)
    writer.value(
      "process_uptime", report.process.uptime.flatMap { Int64(exactly: $0.rounded(.down)) })
    writeReason(to: &writer)
    writeSystem(to: &writer)
    writeTexts(to: &writer)
    writer.value("thread_count", report.threads.count)
    writer.array("threads", report.threads) { writer, thread in
      writer.beginObject()
      write(thread, withRegisters: false, to: &writer)
      writer.endObject()
    }
    writeCrashingThread(to: &writer)
    writer.value("main_module", facts.mainImage)
    writer.value("modules_contains_cert_info", false)
    writer.array("modules", report.images, write)
    writer.array("unloaded_modules", report.unloadedImages) { writer, image in
      writer.beginObject()
      writer.value("base_addr", image.base.map { facts.address($0.value) })
      writer.value("end_addr", image.base.map { facts.address($0.value &+ (image.size ?? 0)) })
      writer.value("filename", StackwalkFacts.lastPart(image.path ?? image.name))
      writer.value("code_id", image.codeID?.description ?? "")
      writer.null("cert_subject")
      writer.endObject()
    }
    writeDump(to: &writer)
    writer.endObject()
  }

  // MARK: The crash and the system

  private func writeReason(to writer: inout JSONWriter) {
    writer.object("crash_info") { writer in
      writer.value("type", facts.reason)
      writer.value("address", facts.crashAddress.map { facts.address($0) })
      writeAdjustedAddress(to: &writer)
      let fault = report.reason.fault
      writer.value("instruction", fault?.instruction)
      if let accesses = fault?.accesses.filter({ $0.kind != .execute }), fault?.instruction != nil {
        writer.array("memory_accesses", accesses, write)
      } else {
        writer.null("memory_accesses")
      }
      writer.null("instruction_pointer_update")
      if let flips = fault?.bitFlips, !flips.isEmpty {
        writer.array("possible_bit_flips", flips, write)
      } else {
        writer.null("possible_bit_flips")
      }
      writer.array("crash_inconsistencies", [String]()) { $0.string($1) }
      writer.value("crashing_thread", facts.requestingThread)
      writer.value("assertion", report.reason.message ?? report.reason.exception?.message)
    }
  }

  private func writeAdjustedAddress(to writer: inout JSONWriter) {
    let fault = report.reason.fault
    guard let address = fault?.address ?? report.reason.address,
      let kind = fault?.kind, kind == .nonCanonical || kind == .nullPointer && address.value != 0
    else { return writer.null("adjusted_address") }
    writer.object("adjusted_address") { writer in
      writer.value("kind", kind.rawValue)
      writer.value(kind == .nullPointer ? "offset" : "address", facts.address(address.value))
    }
  }

  private func write(_ writer: inout JSONWriter, _ access: Fault.Access) {
    writer.beginObject()
    writer.value("address", facts.address(access.address.value))
    writer.value("size", access.size)
    // The member is present only if it is true.
    if access.isGuardPage { writer.value("is_likely_guard_page", true) }
    writer.value("access_type", access.kind == .update ? "readwrite" : access.kind.rawValue)
    writer.endObject()
  }

  private func write(_ writer: inout JSONWriter, _ flip: Fault.BitFlip) {
    writer.beginObject()
    writer.value("address", facts.address(flip.address.value))
    writer.key("confidence")
    writer.double(flip.confidence)
    writer.object("details") { writer in
      writer.value("is_null", flip.isNull)
      writer.value("nearby_registers", flip.nearbyRegisters)
      writer.value("poison_registers", flip.hasPoison)
      writer.value("was_low", flip.wasLow)
      writer.value("was_non_canonical", flip.wasNonCanonical)
    }
    writer.value("source_register", flip.register)
    writer.endObject()
  }

  private func writeSystem(to writer: inout JSONWriter) {
    writer.object("system_info") { writer in
      writer.value("os", facts.systemName)
      writer.value("os_ver", facts.systemVersion)
      writer.value("cpu_arch", facts.processor)
      writer.value("cpu_info", report.tags[.cpuInfo])
      writer.value("cpu_count", facts.processorCount)
      writer.value("cpu_microcode_version", report.tags[.cpuMicrocode])
    }
  }

  private func writeTexts(to writer: inout JSONWriter) {
    if let distribution = facts.distribution {
      writer.object("lsb_release") { writer in
        for (name, value) in distribution { writer.value(name, value) }
      }
    } else {
      writer.null("lsb_release")
    }
    writer.value("linux_memory_map_count", report.tags[.memoryMappings].flatMap { Int($0) })
    writeLimits(to: &writer)
    writeLibraryNotes(to: &writer)
    writer.value("mac_boot_args", report.tags[.bootArguments])
  }

  // MARK: Dump data

  private func writeLimits(to writer: inout JSONWriter) {
    guard let limits = report.dump?.limits, !limits.isEmpty else {
      return writer.null("proc_limits")
    }
    writer.object("proc_limits") { writer in
      writer.array("limits", limits) { writer, limit in
        writer.beginObject()
        writer.value("name", limit.name)
        writer.value("soft", limit.soft)
        writer.value("hard", limit.hard)
        writer.value("unit", limit.unit)
        writer.endObject()
      }
    }
  }

  private func writeLibraryNotes(to writer: inout JSONWriter) {
    guard let notes = report.dump?.libraryNotes, !notes.isEmpty else {
      return writer.null("mac_crash_info")
    }
    writer.object("mac_crash_info") { writer in
      writer.value("num_records", notes.count)
      writer.array("records", notes) { writer, note in
        writer.beginObject()
        writer.value("thread", facts.address(note.thread))
        writer.value("dialog_mode", facts.address(note.dialogMode))
        writer.value("abort_cause", facts.address(note.abortCause))
        writer.value("module", note.module)
        writer.value("message", note.message)
        writer.value("signature_string", note.signature)
        writer.value("backtrace", note.backtrace)
        writer.value("message2", note.secondMessage)
        writer.endObject()
      }
    }
  }

  private func writeDump(to writer: inout JSONWriter) {
    if let handles = report.dump?.handles, !handles.isEmpty {
      writer.array("handles", handles) { writer, handle in
        writer.beginObject()
        writer.value("handle", handle.value)
        writer.value("type_name", handle.type)
        writer.value("object_name", handle.object)
        writer.endObject()
      }
    } else {
      writer.null("handles")
    }
    let errors = report.dump?.writerErrors.flatMap {
      try? JSONDocument.parse(ByteView(Array($0.utf8))).value
    }
    if let errors {
      writer.key("soft_errors")
      writer.value(errors)
    } else {
      // Text that is not JSON is written unchanged.
      writer.value("soft_errors", report.dump?.writerErrors)
    }
  }

  // MARK: Threads

  /// Writes the thread again, with its index in the list and the registers of its first frame.
  private func writeCrashingThread(to writer: inout JSONWriter) {
    guard let index = facts.requestingThread, !report.threads[index].frames.isEmpty else {
      return writer.null("crashing_thread")
    }
    writer.object("crashing_thread") { writer in
      writer.value("threads_index", index)
      write(report.threads[index], withRegisters: true, to: &writer)
    }
  }

  private func write(
    _ thread: CrashThread, withRegisters: Bool, to writer: inout JSONWriter
  ) {
    let calls = StackwalkFacts.calls(thread.frames)
    writer.value("thread_name", thread.name)
    writer.value("thread_id", thread.id)
    writer.value("last_error_value", thread.lastError)
    writer.value("frame_count", calls.count)
    writer.array("frames", Array(calls.enumerated())) { writer, call in
      let registers = withRegisters && call.offset == 0 ? facts.registers(of: thread) : []
      write(call.element, call.offset, registers, to: &writer)
    }
  }

  private func write(
    _ call: StackwalkFacts.Call, _ index: Int, _ registers: [Register],
    to writer: inout JSONWriter
  ) {
    let frame = call.frame
    let instruction = facts.instruction(of: frame)
    let image = facts.image(of: frame)
    let function = frame.function ?? frame.symbol
    writer.beginObject()
    writer.value("frame", index)
    writer.value("trust", frame.trust.stackwalkName)
    writer.value("offset", instruction.map(facts.address))
    writer.value("module", image.map { StackwalkFacts.lastPart($0.name) })
    writer.value("module_offset", offset(of: instruction, frame, in: image).map(facts.address))
    writer.null("unloaded_modules")
    writer.value("function", function)
    writer.value("function_offset", facts.functionOffset(of: frame).map(facts.address))
    writer.value("file", frame.file)
    writer.value("line", frame.line)
    if call.inlines.isEmpty {
      writer.null("inlines")
    } else {
      writer.array("inlines", call.inlines) { writer, inline in
        writer.beginObject()
        writer.value("function", inline.function ?? inline.symbol)
        writer.value("file", inline.file)
        writer.value("line", inline.line)
        writer.endObject()
      }
    }
    writer.value("missing_symbols", function == nil)
    if !registers.isEmpty {
      writer.object("registers") { writer in
        for register in registers { writer.value(register.name, facts.address(register.value)) }
      }
    }
    writer.endObject()
  }

  private func offset(of instruction: UInt64?, _ frame: Frame, in image: LoadedImage?) -> UInt64? {
    guard let image else { return nil }
    if let instruction, let base = image.base?.value, base <= instruction {
      return instruction - base
    }
    return frame.imageOffset.map { frame.position.lookUp($0).value }
  }

  // MARK: Modules

  private func write(_ writer: inout JSONWriter, _ image: LoadedImage) {
    let verdict = image.symbols?.verdict
    writer.beginObject()
    writer.value("base_addr", image.base.map { facts.address($0.value) })
    writer.value(
      "end_addr", image.base.map { facts.address($0.value &+ (image.size ?? 0)) })
    writer.value("filename", StackwalkFacts.lastPart(image.path ?? image.name))
    writer.value("debug_file", debugFile(of: image))
    writer.value("debug_id", (image.debugID ?? DebugID(uuid: [])).breakpadText)
    writer.value("code_id", image.codeID?.description ?? "")
    writer.value("version", image.version)
    writer.null("cert_subject")
    writer.value("missing_symbols", verdict == .missing)
    writer.value("loaded_symbols", verdict == .found)
    writer.value("corrupt_symbols", verdict == .damaged)
    writer.null("symbol_url")
    writer.endObject()
  }

  /// Returns the debug file. Programs of most systems contain their own debug information; on Windows a file
  /// without an id has none.
  private func debugFile(of image: LoadedImage) -> String {
    image.debugFile
      ?? (image.debugID == nil && report.os.name == "Windows"
        ? "" : StackwalkFacts.lastPart(image.path ?? image.name))
  }
}

/// Members that are always present, even if their values are unknown.
extension JSONWriter {
  fileprivate mutating func null(_ key: String) {
    self.key(key)
    null()
  }

  fileprivate mutating func value(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  fileprivate mutating func value(_ key: String, _ value: (some FixedWidthInteger)?) {
    self.key(key)
    if let value { integer(value) } else { null() }
  }

  fileprivate mutating func value(_ key: String, _ value: Bool) {
    self.key(key)
    bool(value)
  }

  fileprivate mutating func object(_ key: String, _ write: (inout JSONWriter) -> Void) {
    self.key(key)
    beginObject()
    write(&self)
    endObject()
  }

  fileprivate mutating func array<Element>(
    _ key: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.key(key)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }
}
