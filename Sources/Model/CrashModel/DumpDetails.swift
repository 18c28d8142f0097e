/// Facts in a dump besides threads and memory, for tools that ask for all of them.
///
/// They are part of no document and stored nowhere: handles name a user's files.
public struct DumpDetails: Hashable, Sendable {
  /// An open object of the process: a file, a key, an event.
  public struct Handle: Hashable, Sendable {
    public var value: UInt64
    /// `File`, `Event`.
    public var type: String?
    public var object: String?

    public init(value: UInt64, type: String?, object: String?) {
      self.value = value
      self.type = type
      self.object = object
    }
  }

  /// A resource limit of a process on Linux: a line of `/proc/PID/limits`.
  public struct ResourceLimit: Hashable, Sendable {
    /// `Max open files`.
    public var name: String
    /// A number or `unlimited`.
    public var soft: String
    public var hard: String
    /// `files`; empty for some.
    public var unit: String

    public init(name: String, soft: String, hard: String, unit: String) {
      self.name = name
      self.soft = soft
      self.hard = hard
      self.unit = unit
    }
  }

  /// A note that one of Apple's libraries left for crash reports, in its section `__crash_info`.
  public struct LibraryNote: Hashable, Sendable {
    /// The library's path.
    public var module: String
    public var message: String
    public var signature: String
    public var backtrace: String
    public var secondMessage: String
    /// The thread that left it.
    public var thread: UInt64
    public var dialogMode: UInt64
    public var abortCause: UInt64

    public init(
      module: String, message: String, signature: String, backtrace: String, secondMessage: String,
      thread: UInt64, dialogMode: UInt64, abortCause: UInt64
    ) {
      self.module = module
      self.message = message
      self.signature = signature
      self.backtrace = backtrace
      self.secondMessage = secondMessage
      self.thread = thread
      self.dialogMode = dialogMode
      self.abortCause = abortCause
    }
  }

  public var handles: [Handle] = []
  public var limits: [ResourceLimit] = []
  public var libraryNotes: [LibraryNote] = []
  /// Errors while the dump was written, as JSON.
  public var writerErrors: String?

  public init() {}
}
