internal import Archives
internal import Bytes
internal import Files
internal import Glibc

/// Finds possible crash reports: files, folders, archives in archives, `-` for standard input.
///
/// The order depends on the paths and names alone. An unreadable file does not stop the walk; it is handed
/// over with its error. One file is in memory at a time.
public struct InputWalker: Sendable {
  public let limits: InputLimits
  /// Splits long logs; without it, they are read whole.
  let divider: (any LogSplitting)?
  /// The files that are read; `nil` for all.
  let share: InputShare?
  /// Fetches files at addresses; without it, an address is a path.
  let remote: RemoteInputs?

  public init(
    limits: InputLimits = .standard, dividing divider: (any LogSplitting)? = nil,
    share: InputShare? = nil, remote: RemoteInputs? = nil
  ) {
    self.limits = limits
    self.divider = divider
    self.share = share
    self.remote = remote
  }

  /// Hands each file at or below `paths` to `body`.
  ///
  /// Programs, libraries and debug information give an error and are not read.
  public func walk(_ paths: [String], body: (InputFile) -> InputStep) {
    walk(paths.lazy.map { InputName(argument: $0) }, body: body)
  }

  /// Hands each file at or below the paths that `names` give to `body`, before it asks for the next name.
  public func walk(_ names: some Sequence<InputName>, body: (InputFile) -> InputStep) {
    var folders = FolderWalk()
    var held = HeldMembers()
    var ordinal = 0
    for name in names {
      if name == .standardInput {
        guard share?.contains(name.path) ?? true else { continue }
        let step = readStream(0, name: "standard input", ordinal: ordinal, body: body)
        ordinal += 1
        if step == .stop { return }
        continue
      }
      if let archive = ArchiveMemberName(name.path) {
        guard share?.contains(name.path) ?? true else { continue }
        let step = read(archive, holding: &held, ordinal: ordinal, body: body)
        ordinal += 1
        if step == .stop { return }
        continue
      }
      if let remote, RemoteInputs.isMeant(by: name.text) {
        if walk(remote, name.text, ordinal: &ordinal, body: body) == .stop { return }
        continue
      }
      let step = folders.walk(name.path, isNamed: name.isArgument) { item in
        guard share?.contains(item.path) ?? true else { return .next }
        defer { ordinal += 1 }
        return read(
          item, isNamed: name.isArgument && item.path == name.path, ordinal: ordinal, body: body)
      }
      if step == .stop { return }
    }
  }

  /// Hands over a member of an archive, and what is in it if it is an archive itself.
  ///
  /// - Parameter held: Members of the archive that was unpacked last. From the second of an archive on, those
  ///   that follow are kept for the next names.
  private func read(
    _ member: ArchiveMemberName, holding held: inout HeldMembers, ordinal: Int,
    body: (InputFile) -> InputStep
  ) -> InputStep {
    let name = DisplayText.escaped(member.path)
    if held.archive == member.archive {
      let files = held.files(named: name)
      for file in files where body(file.numbered(ordinal)) == .stop { return .stop }
      if !files.isEmpty { return .next }
    }
    let holdsMore = held.archive == member.archive
    var next = HeldMembers(of: member.archive)
    var result: InputStep?
    var isPast = false
    var problem = InputError.file(FileError("open", path: name, code: ENOENT))
    let archive = DisplayText.escaped(member.archive)
    let item = FolderWalk.Item(path: member.archive, found: .stream)
    _ = read(item, isNamed: true, ordinal: ordinal) { file in
      // The member may be in the part of a damaged archive that cannot be read.
      if file.path == archive, case .failure(let error) = file.content { problem = error }
      guard file.path == name || file.path.hasPrefix(name + "!") else {
        isPast = result != nil
        return isPast && !(holdsMore && next.add(file)) ? .stop : .next
      }
      guard !isPast else { return .next }
      result = body(file)
      // The rest of the archive is not unpacked for one member.
      return file.path == name && !holdsMore ? .stop : result ?? .next
    }
    held = next
    return result
      ?? body(InputFile(path: name, content: .failure(problem), ordinal: ordinal))
  }

  /// Hands over the files at an address.
  private func walk(
    _ remote: RemoteInputs, _ name: String, ordinal: inout Int, body: (InputFile) -> InputStep
  ) -> InputStep {
    remote.walk(name, share: share, limit: limits.dumpBytes) { fetched in
      defer { ordinal += 1 }
      let path = DisplayText.escaped(Array(fetched.name.utf8))
      switch fetched.content {
      case .failure(let error):
        return body(InputFile(path: path, content: .failure(error), ordinal: ordinal))
      case .success(let file):
        return read(
          file.file.number, named: path, ordinal: ordinal, companion: nil, body: body)
      }
    }
  }

  /// Counts the files below `paths` without opening them.
  public func count(_ paths: [String]) -> InputCount {
    var folders = FolderWalk()
    var count = InputCount()
    for path in paths {
      let name = InputName(argument: path)
      if name == .standardInput {
        if share?.contains(name.path) ?? true { count.files += 1 }
        continue
      }
      _ = folders.walk(name.path, isNamed: true) { item in
        guard share?.contains(item.path) ?? true else { return .next }
        count.files += 1
        if case .file(let status) = item.found { count.bytes += Int(status.st_size) }
        return .next
      }
    }
    return count
  }

  /// Reads an open file, and unpacks it if it is an archive.
  ///
  /// - Parameters:
  ///   - descriptor: Remains owned by the caller.
  ///   - name: The file's location, for display.
  ///   - ordinal: As ``InputFile/ordinal``.
  ///   - companion: The relation to a file found before.
  ///   - progress: Called repeatedly while a large member of an archive is unpacked.
  public func read(
    _ descriptor: Int32, named name: String, ordinal: Int, companion: Companion?,
    progress: () -> Void = {}, body: (InputFile) -> InputStep
  ) -> InputStep {
    do throws(FileError) {
      let file = try OpenFile.duplicating(descriptor, name: name)
      return read(
        file, name: name, ordinal: ordinal, companion: companion, progress: progress, body: body)
    } catch {
      return body(
        InputFile(
          path: name, content: .failure(.file(error)), ordinal: ordinal, companion: companion))
    }
  }

  private func read(
    _ item: FolderWalk.Item, isNamed: Bool, ordinal: Int, body: (InputFile) -> InputStep
  ) -> InputStep {
    let name = DisplayText.escaped(item.path)
    let companion = item.kin?.companion
    func refuse(_ error: InputError) -> InputStep {
      body(
        InputFile(
          path: name, content: .failure(error), ordinal: ordinal, companion: companion))
    }
    if case .refused(let error) = item.found { return refuse(error) }
    if case .problem = item.found {
      let report = ProblemFolder.report { (name) throws(FileError) in
        try part(item.path + [0x2f] + Array(name.utf8))
      }
      return body(
        InputFile(
          path: name, content: .success(report), ordinal: ordinal, companion: companion))
    }
    if !isNamed, companion == nil, SourceCode.hasName(of: item.path) {
      return refuse(.sourceCode)
    }
    do throws(FileError) {
      let file = try OpenFile.opening(item.path, name: name)
      return read(file, name: name, ordinal: ordinal, companion: companion, body: body)
    } catch {
      return refuse(.file(error))
    }
  }

  /// A file of a problem's folder; `nil` for one that is not there.
  private func part(_ path: [UInt8]) throws(FileError) -> ByteView? {
    guard FolderWalk.isFile(path) else { return nil }
    let name = DisplayText.escaped(path)
    return try OpenFile.opening(path, name: name).head(ProblemFolder.partBytes, name: name)
  }

  private func read(
    _ file: borrowing OpenFile, name: String, ordinal: Int, companion: Companion?,
    progress: () -> Void = {}, body: (InputFile) -> InputStep
  ) -> InputStep {
    func give(_ content: Result<ByteView, InputError>) -> InputStep {
      body(InputFile(path: name, content: content, ordinal: ordinal, companion: companion))
    }
    do throws(FileError) {
      // The file may have been replaced since it was found.
      let status = try file.status(name: name)
      guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
        // Kernel files report a size of 0 but are not empty.
        _ = fcntl(file.number, F_SETFL, 0)
        return readStream(
          file.number, name: name, ordinal: ordinal, companion: companion, progress: progress,
          body: body)
      }
      let head = try file.head(FileMagic.headSize, name: name)
      // An attachment is not unpacked.
      let isAttachment = companion?.isAttachment ?? false
      if !isAttachment && ArchiveReader.isArchive(head) {
        return unpack(file, name: name, ordinal: ordinal, progress: progress, body: body)
      }
      if !isAttachment && Self.isDebugFile(head) { return give(.failure(.debugFile)) }
      if companion == nil, SourceCode.isScript(head) { return give(.failure(.sourceCode)) }
      let size = Int(status.st_size)
      if size > min(limits.mappedBytes, limits.fileBytes), size <= limits.dumpBytes,
        FileMagic(of: head)?.isDump == true
      {
        return give(.success(try ByteView(mapping: "/proc/self/fd/\(file.number)")))
      }
      if !isAttachment, size <= limits.fileBytes, MailFile.mayBeMail(head),
        MailFile.isMail(try file.head(min(size, MailFile.headBytes), name: name)),
        let mail = MailFile(try file.head(size, name: name))
      {
        return open(
          mail, name: name, bytes: size, ordinal: ordinal, progress: progress, body: body)
      }
      if let divider, !isAttachment, size > LogWindow.undivided,
        divider.isLog(try file.head(LogWindow.head, name: name))
      {
        var coverage = InputFile.Coverage.first
        return readLog(file, name: name, by: divider) { content in
          defer { coverage = .further }
          return body(
            InputFile(
              path: name, content: content, ordinal: ordinal, companion: companion,
              coverage: coverage))
        }
      }
      guard size <= limits.fileBytes else {
        return give(.failure(.tooLarge(limit: limits.fileBytes, size: size)))
      }
      return give(.success(try file.head(size, name: name)))
    } catch {
      return give(.failure(.file(error)))
    }
  }

  /// Reads a descriptor to its end; an archive is unpacked too.
  private func readStream(
    _ descriptor: Int32, name: String, ordinal: Int, companion: Companion? = nil,
    progress: () -> Void = {}, body: (InputFile) -> InputStep
  ) -> InputStep {
    func give(_ content: Result<ByteView, InputError>) -> InputStep {
      body(InputFile(path: name, content: content, ordinal: ordinal, companion: companion))
    }
    let bytes: ByteView
    do {
      bytes = try ByteView(descriptor: descriptor, name: name, limit: limits.fileBytes)
    } catch {
      let reason: InputError =
        error.code == EFBIG ? .tooLarge(limit: limits.fileBytes, size: nil) : .file(error)
      return give(.failure(reason))
    }
    if companion?.isAttachment == true { return give(.success(bytes)) }
    guard ArchiveReader.isArchive(bytes) else {
      if MailFile.isMail(bytes), let mail = MailFile(bytes) {
        return open(
          mail, name: name, bytes: bytes.count, ordinal: ordinal, progress: progress, body: body)
      }
      return give(Self.isDebugFile(bytes) ? .failure(.debugFile) : .success(bytes))
    }
    do {
      let file = try OpenFile.holding(bytes, name: name)
      return unpack(file, name: name, ordinal: ordinal, progress: progress, body: body)
    } catch {
      return give(.failure(.file(error)))
    }
  }

  /// Whether a file that begins with `head` is a program or debug information, not a crash report.
  private static func isDebugFile(_ head: ByteView) -> Bool {
    FileMagic(of: head)?.isDebugFile ?? false
  }

  /// Hands over the files in a mail, as members of an archive: the report first, and the rest, which belongs
  /// to it unless it is a report itself.
  private func open(
    _ mail: MailFile, name: String, bytes: Int, ordinal: Int, progress: () -> Void,
    body: (InputFile) -> InputStep
  ) -> InputStep {
    let archive = InputFile.Archive(bytes: bytes, mostReports: limits.reports(ofArchive: bytes))
    let owner = mail.parts.first.map { "\(name)!\(DisplayText.escaped(Array($0.name.utf8)))" }
    for (index, part) in mail.parts.enumerated() {
      let path = "\(name)!\(DisplayText.escaped(Array(part.name.utf8)))"
      if part.isFile, ArchiveReader.isArchive(part.bytes) {
        do throws(FileError) {
          let file = try OpenFile.holding(part.bytes, name: path)
          let step = unpack(
            file, name: path, ordinal: ordinal, within: archive, progress: progress, body: body)
          if step == .stop { return .stop }
          continue
        } catch {
          return body(
            InputFile(
              path: path, content: .failure(.file(error)), ordinal: ordinal, isMember: true,
              archive: archive))
        }
      }
      let companion = owner.flatMap {
        index == 0 ? nil : Companion(of: $0, called: Array(part.name.utf8), isAttachment: false)
      }
      let content: Result<ByteView, InputError> =
        Self.isDebugFile(part.bytes) ? .failure(.debugFile) : .success(part.bytes)
      let step = body(
        InputFile(
          path: path, content: content, ordinal: ordinal, companion: companion, isMember: true,
          archive: archive))
      if step == .stop { return .stop }
    }
    guard let problem = mail.problem else { return .next }
    return body(
      InputFile(
        path: name, content: .failure(.limit(problem)), ordinal: ordinal, archive: archive))
  }

  /// Hands over the members of one archive, with all errors.
  ///
  /// - Parameter outer: The mail that it is in.
  private func unpack(
    _ file: borrowing OpenFile, name: String, ordinal: Int,
    within outer: InputFile.Archive? = nil, progress: () -> Void,
    body: (InputFile) -> InputStep
  ) -> InputStep {
    var step = InputStep.next
    var bundle: Substring?
    var isEmpty = true
    var held = HeldProblems()
    // If the size cannot be determined, nothing can be read either.
    let size = (try? file.status(name: name)).map { Int($0.st_size) } ?? 0
    let archive =
      outer ?? InputFile.Archive(bytes: size, mostReports: limits.reports(ofArchive: size))
    func give(_ path: String, _ content: Result<ByteView, InputError>) -> InputStep {
      body(
        InputFile(
          path: path, content: content, ordinal: ordinal,
          companion: Companion(memberPath: path), isMember: path != name, archive: archive))
    }
    do throws(ArchiveError) {
      try ArchiveReader(limits: limits.archives).walk(file, named: name) { event in
        if case .progress = event {
          progress()
          return .next
        }
        isEmpty = false
        switch event {
        case .progress: break
        case .refused(let refused):
          step = give(refused.displayPath, .failure(.archive(refused.error)))
        case .member(let member):
          if let found = Self.debugBundle(of: member.displayPath) {
            // Once for everything in the bundle.
            if bundle != found { step = give(String(found), .failure(.debugFile)) }
            bundle = found
          } else if Companion(memberPath: member.displayPath) == nil,
            Self.isDebugFile(member.bytes)
          {
            step = give(member.displayPath, .failure(.debugFile))
          } else if Companion(memberPath: member.displayPath) == nil,
            SourceCode.hasName(of: Array(member.displayPath.utf8))
              || SourceCode.isScript(member.bytes)
          {
            step = give(member.displayPath, .failure(.sourceCode))
          } else if !held.hold(member.displayPath, member.bytes) {
            step = give(member.displayPath, .success(member.bytes))
          }
        }
        return step == .stop ? .stop : .next
      }
      if step != .stop { step = held.give { give($0, .success($1)) } }
      // Every file on disk gives a result, even an empty archive.
      return isEmpty ? give(name, .failure(.archive(ArchiveError(.empty, in: name)))) : step
    } catch {
      return give(error.archive, .failure(.archive(error)))
    }
  }

  /// The path up to the bundle of debug information that contains it.
  private static func debugBundle(of path: String) -> Substring? {
    var start = path.startIndex
    while start < path.endIndex {
      let end = path[start...].firstIndex(of: "/") ?? path.endIndex
      if path[start..<end].hasSuffix(".dSYM"), end < path.endIndex { return path[..<end] }
      start = end < path.endIndex ? path.index(after: end) : end
    }
    return nil
  }
}
