internal import CrashModel
package import Documents

/// The schema of the output of ``CrashReport/write(to:id:received:group:app:withheld:)``, member for member.
extension CrashReport {
  /// The schemas of the report's document and of its parts.
  ///
  /// - Parameter formats: The names of the supported formats.
  package static func documentComponents(formats: [String]) -> [APIComponent] {
    [
      APIComponent("Report") { report(formats) }, thread, frame, image, exception, signature,
    ]
  }

  private static func report(_ formats: [String]) -> [APIMember] {
    [
      .always("schema", .integer(documentSchema...documentSchema)),
      .always(
        "id", .text(), "A hash over app, submission and position.",
        example: "9f86d081884c7d659a2feaa0c55ad015"),
      .always("format", .choice(formats)), .maybe("kind", .choice(ReportKind.self)),
      .maybe("incident", .text(), "The id that the SDK or the system gave."),
      .maybe("group", .text(), "The group that the stored report is in.", example: "TERN-12"),
      .maybe(
        "store_app", .text(), "The app that the store has it under; the report may name another.",
        example: "Tern"),
      .maybe(
        "withheld", .list(.text()),
        "Parts that the reader's role does not see, such as `user`, and that are left out."),
      .maybe("app", app, "As the report names it."),
      .maybe("time", .time, "When it happened."), .maybe("received", .time, "When it arrived."),
      .maybe("install", .text(), "The installation."), .maybe("user", .text(), "The user."),
      .maybe("os", system), .maybe("device", device), .maybe("process", process),
      .maybe("reason", reason),
      .maybe("crashed_thread", .count, "A position in `threads`."),
      .maybe("threads", .list(.component(thread))), .maybe("images", .list(.component(image))),
      .maybe(
        "unloaded_images", .list(.component(image)),
        "Images that were unloaded before; they may overlap others."),
      .maybe("attachments", .list(attachment), "Sorted by name."),
      .maybe("breadcrumbs", .list(breadcrumb), "Events of the session before the crash."),
      .maybe(
        "other_stacks", .list(otherStack),
        "Stacks that belong to no thread, such as where memory was freed."),
      .maybe("tags", .map(.text()), "Other facts from the report."),
      .maybe("properties", .map(.text()), "Facts that the app added, under its own names."),
      .maybe("signature", .component(signature)),
      .maybe("engine", engine, "The program and files that made the document."),
      .maybe("notes", .list(.text()), "Damaged, omitted or guessed parts."),
    ]
  }

  private static let app = APISchema.object([
    .maybe("name", .text(), example: "Tern"),
    .maybe("identifier", .text(), example: "shop.tern.till"),
    .maybe("version", .text(), example: "1.4.0"), .maybe("build", .text(), example: "512"),
  ])

  private static let system = APISchema.object([
    .maybe("name", .text(), example: "iOS"), .maybe("version", .text(), example: "17.2"),
    .maybe("build", .text(), example: "21C62"),
  ])

  private static let device = APISchema.object([
    .maybe("model", .text(), example: "iPhone15,2"), .maybe("arch", .text(), example: "arm64"),
  ])

  private static let process = APISchema.object([
    .maybe("name", .text(), example: "Tern"), .maybe("pid", .integer(), example: 4711),
    .maybe("path", .text()), .maybe("uptime", .number, "Seconds.", example: 12.5),
  ])

  private static let reason = APISchema.object([
    .maybe("type", .text(), example: "EXC_BAD_ACCESS"),
    .maybe("signal", .text(), example: "SIGSEGV"),
    .maybe("code", .text(), example: "KERN_INVALID_ADDRESS"),
    .maybe("address", .address, example: "0x10"), .maybe("message", .text()),
    .maybe("exception", .component(exception)),
    .maybe("fault", fault, "What the registers and the memory of a dump say of it."),
  ])

  private static let fault = APISchema.object([
    .always(
      "summary", .text(), "One line for a person.",
      example: "Read of 8 bytes at 0x10: null pointer plus 0x10 (mov rax, [rdi+0x10]; rdi = 0x0)"),
    .maybe("kind", .text(), "A class of crashes.", example: "null-pointer"),
    .maybe("address", .address, "The address that failed, which the system may have hidden."),
    .maybe("instruction", .text(), example: "mov rax, [rdi+0x10]"),
    .maybe(
      "accesses",
      .list(
        .object([
          .always("kind", .text(), "`read`, `write`, `update` or `execute`.", example: "read"),
          .always("address", .address, example: "0x10"), .maybe("size", .count, "Bytes."),
          .maybe("operand", .text(), example: "[rdi+0x10]"), .maybe("guard_page", .flag),
        ])), "What the instruction does to memory."),
    .maybe(
      "bit_flips",
      .list(
        .object([
          .always("address", .address, "A valid address."),
          .maybe("register", .text(), "That held the changed value."),
          .always("confidence", .share, example: 0.25),
          .maybe("was_non_canonical", .flag), .maybe("is_null", .flag), .maybe("was_low", .flag),
          .maybe("nearby_registers", .count), .maybe("poison_registers", .flag),
        ])), "Addresses that a single broken bit may have changed, the most likely first."),
  ])

  private static let attachment = APISchema.object([
    .always("name", .text(), example: "log.txt"),
    .maybe("content_type", .text(), example: "text/plain"), .maybe("size", .count, "Bytes."),
    .maybe("digest", .text(), "The SHA-256."),
  ])

  private static let breadcrumb = APISchema.object([
    .always("time", .time), .always("name", .text(), example: "checkout opened"),
    .maybe("properties", .map(.text())),
  ])

  private static let otherStack = APISchema.object([
    .always("title", .text(), example: "freed by thread T0 here"),
    .always("frames", .list(.component(frame))),
  ])

  private static let engine = APISchema.object([
    .always("version", .text()),
    .maybe("symbol_cache", .count, "The version of its format."),
    .maybe("rules_digest", .text()),
    .maybe("scrub_rules", .text(), "The version of the rules that removed secrets."),
    .always("debug_files", .map(.text()), "The SHA-256 of each by debug id."),
  ])

  private static let thread = APIComponent("Thread") {
    [
      .always("index", .count, "The number in the report."),
      .maybe("id", .integer(), "The system's id."),
      .maybe("name", .text(), example: "main"),
      .always("crashed", .flag, "Whether the report is about this thread: it crashed, or hung."),
      .maybe("registers", .map(.address), "Values by name."),
      .maybe(
        "last_error", .text(), "The system's error of the last call that failed in the thread.",
        example: "ERROR_FILE_NOT_FOUND"),
      .always("frames", .list(.component(frame)), "Youngest first."),
    ]
  }

  private static let frame = APIComponent("Frame") {
    [
      .always("index", .count, "Position in the stack."),
      .maybe("address", .address, example: "0x1047c"),
      .maybe(
        "position", .choice(CodePosition.self),
        "Whether the address is of the instruction (`exact`), the one after the call (`return`), or "
          + "inside the call (`adjusted`)."),
      .maybe("image", .count, "A position in `images`."),
      .maybe("image_offset", .address, example: "0x47c"),
      .maybe("function", .text(), "The demangled name.", example: "tern::priceOf"),
      .maybe("symbol", .text(), "The raw name, where it differs."),
      .maybe("symbol_offset", .count, "Bytes from the start of the function."),
      .maybe(
        "symbol_size", .count, "The length of the function in bytes, where the report gives it."),
      .maybe("file", .text(), example: "src/basket.cpp"), .maybe("line", .count),
      .maybe("column", .count),
      .maybe(
        "source", .object([.always("first", .count), .always("lines", .list(.text()))]),
        "Lines of source with `--source`, and the number of the first."),
      .always("inlined", .flag),
      .maybe("in_app", .flag, "Whether the code belongs to the app; absent if unknown."),
      .always("trust", .choice(FrameTrust.self), "How the frame was found."),
      .maybe(
        "registers", .map(.address),
        "Those that are known of a caller on a stack that was walked, by name."),
    ]
  }

  private static let image = APIComponent("Image") {
    [
      .always("index", .count), .always("name", .text(), example: "libtern.so"),
      .maybe("path", .text(), example: "/usr/lib/libtern.so"),
      .maybe("arch", .text(), example: "arm64"),
      .maybe("debug_id", .text(), example: "5d41402a-bc4b-2a76-b971-9d911017c592"),
      .maybe("code_id", .text()),
      .maybe(
        "debug_file", .text(), "The name that the binary itself gives.", example: "tern.pdb"),
      .maybe("base", .address, "Load address.", example: "0x10000"),
      .maybe("size", .count, "Bytes."), .maybe("version", .text()),
      .maybe("package", package, "The package that it was installed from, by the binary itself."),
      .maybe("symbols", symbols, "Its debug file."),
    ]
  }

  private static let package = APISchema.object([
    .maybe("type", .text(), example: "rpm"),
    .always("name", .text(), "Of the source package.", example: "glibc"),
    .maybe("version", .text(), example: "2.39-6.fc40"),
    .maybe("arch", .text(), "In the distribution's words.", example: "x86_64"),
    .maybe("os", .text(), example: "fedora 40"),
    .maybe("os_cpe", .text(), example: "cpe:/o:fedoraproject:fedora:40"),
    .maybe(
      "debug_info_url", .text(), "A debuginfod server that has the debug information.",
      example: "https://debuginfod.fedoraproject.org/"),
  ])

  private static let symbols = APISchema.object([
    .always("status", .choice(SymbolStatus.Verdict.self)),
    .maybe("file", .text(), example: "Tern.debug"),
    .maybe(
      "match", .choice(["name"]),
      "`name` for a file that was found by its name alone; absent where the id agrees."),
    .maybe("debug_id", .text(), "Of a file that was found by its name."),
    .always(
      "tried",
      .list(
        .object([
          .always("file", .text()), .always("verdict", .choice(SymbolCandidate.Verdict.self)),
          .maybe("debug_id", .text()), .maybe("arch", .text()), .maybe("detail", .text()),
        ]))),
  ])

  private static let exception = APIComponent("Exception") {
    [
      .maybe("type", .text(), example: "std::runtime_error"), .maybe("message", .text()),
      .always("frames", .list(.component(frame))),
      .always(
        "inner", .list(.named("Exception")),
        "The exceptions that caused it, at most \(maximumExceptionDepth) deep."),
    ]
  }

  private static let signature = APIComponent("Signature") {
    [
      .always("text", .text(), example: "tern::priceOf"),
      .always("hash", .text(), "The grouping key."),
      .maybe("alternatives", .list(.text()), "Alternative keys."),
      .always("category", .choice(SignatureCategory.self)),
      .always("rules", .text(), "The version of the rules.", example: "v1"),
      .always("provisional", .flag, "Whether missing debug files could change it."),
      .maybe("waits_for", .list(.text()), "The debug ids of these files."),
      .always("steps", .list(step), "The decisions that led to it."),
    ]
  }

  private static let step = APISchema.object([
    .maybe("frame", .count), .maybe("subject", .text()), .maybe("result", .text()),
    .maybe("class", .choice(["death", "base", "glue", "system", "unknown", "app", "void"])),
    .maybe("rule", .text(), example: "death.rules:12"), .always("used", .flag),
    .maybe("left_out", .choice(LeftOut.self)),
  ])
}

extension APISchema {
  /// The raw values of an enumeration.
  fileprivate static func choice<Word: CaseIterable & RawRepresentable>(
    _ type: Word.Type
  ) -> APISchema where Word.RawValue == String {
    .choice(type.allCases.map(\.rawValue))
  }
}
