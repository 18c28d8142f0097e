extension TombstoneReader {
  static let about = FormatDescription(
    title: "Android tombstones", family: .android, symbols: .resolved, since: "0.1.0",
    introduction: """
      What Android's debuggerd writes of a native crash: as text, in `/data/tombstones`, in \
      logcat and in the logs of Unity and xCrash. Android 4 to 16.
      """,
    facts: [
      (
        "recognised by",
        """
        `Build fingerprint: ` with a signal or a stack below it; `pid: N, tid: N` … `>>> NAME \
        <<<` where the start is lost; `Fatal signal N (SIG…)` of the C library where no tombstone \
        follows; `Unreachable memory`
        """
      ),
      (
        "identity",
        """
        app or program, process, system (version and build, `os.fingerprint`), device, processor, \
        time, time since start; of xCrash also the app's version, the model and the API level
        """
      ),
      (
        "reason",
        """
        signal, code and address; the abort message; `Cause:` as tag `cause`; who sent the signal \
        as `signal.sender`
        """
      ),
      (
        "stacks",
        """
        all threads with names, ids and registers, the crashed one first; where memory was \
        allocated and freed (GWP-ASan, MTE); guest threads; the Java stack of xCrash; stacks that \
        a tool has already looked up, with lines and inlined calls; `Unreachable memory` as a \
        handled report
        """
      ),
      (
        "images",
        """
        those that frames name, also inside an APK, with build ids
        """
      ),
      ("positions", "youngest frame `exact`, all others `adjusted`"),
      ("not read", "memory around registers, the memory map, open files, the log at the end"),
    ])
}
