extension RuleListsV1 {
  /// Frames that say only how the process died.
  static let death = RuleListV1(
    name: "death.rules",
    text: """
      # C libraries: abort, raise and their inner steps by version
      abort  above
      __abort  above
      _abort  above
      raise  above
      gsignal  above
      __raise  above
      __libc_raise  above
      kill  above
      __kill  above
      tkill  above
      tgkill  above
      __tgkill  above
      killpg  above
      pthread_kill  above
      __pthread_kill  above
      __pthread_kill_implementation  above
      __pthread_kill_internal  above
      __pthread_sigmask
      __libc_message  above
      __libc_message_impl  above
      __libc_message_wrapper  above
      __libc_fatal  above
      __fortify_fail  above
      __fortify_fail_abort  above
      __chk_fail  above
      *_chk_fail  above
      __stack_chk_fail  above
      __stack_chk_fail_local  above
      ___stack_chk_fail  above
      __stack_smash_handler  above
      __longjmp_chk  above
      ____longjmp_chk  above
      ___vsnprintf_chk
      abort_message  above
      abort_with_payload*  above
      abort_with_reason  above
      __abort_with_payload*  above
      __abort_msg  above
      terminate_with_reason  above
      terminate_with_payload  above
      sigabort  above
      async_safe_fatal*  above
      __loader_android_set_abort_message
      android_set_abort_message
      __android_log_assert  above
      __android_log_default_aborter  above
      __kernel_vsyscall
      __kernel_rt_sigreturn  above
      __kernel_sigreturn  above
      _dl_sysinfo_int80
      __vdso_rt_sigreturn  above
      __restore_rt  above
      __restore  above
      __sigaction_sa_restorer  above
      __default_sa_restorer  above
      __default_rt_sa_restorer  above
      <signal handler called>  above
      _sigtramp  above
      __sigtramp  above
      _signal_handler  above
      sigtramp  above
      ucrt_abort  above
      exit  notapp
      _exit
      _Exit
      __exit
      quick_exit
      __run_exit_handlers
      __run_exit_handlers_internal
      __cxa_finalize
      __cxa_finalize_ranges
      __do_global_dtors_aux
      _dl_fini
      error  module:libc*
      error_at_line  module:libc*
      err  module:libc*
      errx  module:libc*
      err  module:libsystem_c*
      errx  module:libsystem_c*
      # the text of a check stands in for the function that was inlined
      */c++/v1/*: assertion *  above
      */include/c++/*: *ssertion *  above
      # assertions
      __assert  above
      __assert2  above
      __assert_fail  above
      __assert_fail_base  above
      __assert_fail_base_fail  above
      __assert_perror_fail  above
      __assert_rtn  above
      __assertfail  above
      _assert  above
      _wassert  above
      _assert_fail  above
      __eprintf  above
      # heaps
      malloc
      free
      calloc
      realloc
      reallocf
      reallocarray
      memalign
      posix_memalign
      aligned_alloc
      valloc
      pvalloc
      cfree
      _int_malloc
      _int_free
      _int_free_create_chunk
      _int_free_chunk
      _int_free_merge_chunk
      _int_free_maybe_consolidate
      _int_realloc
      _int_memalign
      sysmalloc
      systrim
      sYSMALLOc
      sYSTRIm
      malloc_consolidate
      malloc_printerr  above
      malloc_printerr_tail  above
      malloc_hook_ini
      malloc_check
      malloc_check_get_size
      free_check
      mem2chunk_check
      mem2mem_check
      top_check
      realloc_hook_ini
      realloc_check
      munmap_chunk
      mremap_chunk
      unlink_chunk
      tcache_get
      tcache_put
      tcache_free
      tcache_init
      tcache_thread_shutdown
      arena_get2
      arena_for_chunk
      checked_request2size
      _quick_free
      _libc_free
      __GI__int_free
      __malloc
      __free
      __calloc
      __realloc
      __cfree
      __libc_freeres
      _mid_memalign
      heap_trim
      new_heap
      alloc_perturb
      free_perturb
      operator new
      operator new[]
      operator delete
      operator delete[]
      g_malloc
      g_malloc0
      g_malloc_n
      g_malloc0_n
      g_try_malloc
      g_realloc
      g_realloc_n
      g_try_realloc
      g_free
      g_slice_alloc
      g_slice_alloc0
      g_slice_free1
      g_slice_free_chain_with_offset
      standard_malloc
      standard_calloc
      standard_realloc
      standard_free
      magazine_chain_pop_head
      magazine_cache_pop_magazine
      thread_memory_magazine1_alloc
      thread_memory_magazine2_free
      smc_notify_free
      slab_allocator_alloc_chunk
      slab_allocator_free_chunk
      je_*  notapp
      arena_*  module:libjemalloc*
      tcmalloc::*
      mi_free
      mi_malloc
      _mi_*
      scudo::*
      scudo_*
      scudo_malloc
      HeapAlloc
      HeapFree
      HeapReAlloc
      RtlAllocateHeap
      RtlFreeHeap
      RtlReAllocateHeap
      Rtlp*Heap*  module:ntdll*
      RtlpFreeHeap*
      RtlpAllocateHeap*
      RtlpCoalesceFreeBlocks
      RtlpReportHeapFailure
      RtlpHeapHandleError
      RtlpLogHeapFailure
      RtlReportCriticalFailure
      _free_base
      _malloc_base
      _calloc_base
      _realloc_base
      _free_dbg
      _malloc_dbg
      _CrtIsValidHeapPointer
      malloc_zone_*
      malloc_vreport  above
      malloc_report  above
      malloc_error_break
      malloc_zone_error  above
      szone_*
      tiny_*  module:libsystem_malloc*
      small_*  module:libsystem_malloc*
      medium_*  module:libsystem_malloc*
      large_*  module:libsystem_malloc*
      nano_*  module:libsystem_malloc*
      nanov2_*
      xzm_*  module:libsystem_malloc*
      _malloc_zone_*
      free_tiny
      free_small
      free_medium
      free_large
      free_tiny_botch  above
      free_small_botch  above
      free_list_checksum_botch  above
      tiny_free_list_checksum_botch  above
      rack_free
      find_zone_and_free
      mfm_*  module:libsystem_malloc*
      # memory and string routines
      memcpy
      memmove
      memset
      memcmp
      memchr
      memrchr
      memmem
      mempcpy
      memccpy
      bcopy
      bzero
      bcmp
      rawmemchr
      wmemcpy
      wmemset
      wmemcmp
      wmemchr
      strlen
      strnlen
      strcpy
      strncpy
      stpcpy
      stpncpy
      strlcpy
      strlcat
      strcat
      strncat
      strcmp
      strncmp
      strcasecmp
      strncasecmp
      strcoll
      strchr
      strrchr
      strchrnul
      strstr
      strcasestr
      strspn
      strcspn
      strpbrk
      strtok
      strtok_r
      strsep
      strdup
      strndup
      __strdup
      __strndup
      __strcasecmp
      __strncasecmp
      __strchr
      __memcpy
      __memmove
      __memset
      __memcmp
      __strlen
      __strcmp
      __strncpy
      __mempcpy
      wcslen
      wcscpy
      wcscmp
      wcsncmp
      wcschr
      wcsstr
      _platform_mem*
      _platform_str*
      _platform_bzero*
      __platform_mem*
      __platform_str*
      __bzero
      _VEC_memcpy
      _VEC_memzero
      memcpy_repmovs
      strtol
      strtoul
      strtoll
      strtoull
      strtod
      __strtol_internal
      ____strtol_l_internal
      ____strtoll_l_internal
      ____strtod_l_internal
      atoi
      atol
      atof
      g_strdup
      g_strndup
      g_str_equal
      g_str_hash
      g_strcmp0
      # printing
      printf
      fprintf
      vfprintf
      vprintf
      sprintf
      vsprintf
      snprintf
      vsnprintf
      asprintf
      vasprintf
      _IO_vfprintf
      _IO_vfprintf_internal
      __vfprintf_internal
      __vsnprintf_internal
      __vsprintf_internal
      __vasprintf_internal
      _IO_vsnprintf
      _IO_vsprintf
      _IO_vasprintf
      __vsnprintf
      __printf_fp
      __vfprintf
      __vsnprintf_chk
      __vsprintf_chk
      __vasprintf_chk
      __vfprintf_chk
      __sprintf_chk
      __snprintf_chk
      __printf_buffer*
      g_strdup_printf
      g_strdup_vprintf
      g_vasprintf
      # processors' and compilers' traps
      __ubsan_*  above
      __ubsan::*  above
      _ubsan_*  above
      __sanitizer::*  above
      __sanitizer_*
      __asan::*
      __asan_*
      __msan::*
      __msan_*
      __tsan::*
      __tsan_*
      __lsan::*
      __lsan_*
      __hwasan::*
      __hwasan_*
      __memprof*
      __cfi_*  above
      __interceptor_*
      __interception::*
      _wrap_*  module:libclang_rt*
      asan_*  module:*asan*
      wrap_*  module:*asan_osx*
      fuzzer::*
      # C++: throwing, rethrowing, terminating
      __cxa_throw  above
      __cxa_rethrow  above
      __cxa_rethrow_primary_exception  above
      __cxa_bad_cast  above
      __cxa_bad_typeid  above
      __cxa_throw_bad_array_new_length  above
      __cxa_pure_virtual  above
      __cxa_deleted_virtual  above
      __cxa_call_unexpected  above
      __cxa_call_terminate  above
      __cxa_guard_acquire
      __cxa_begin_catch
      __cxa_end_catch
      __cxa_free_exception
      __cxa_allocate_exception
      __cxxabiv1::*  above
      __clang_call_terminate  above
      __gnu_cxx::__verbose_terminate_handler  above
      __gxx_personality_v0
      __gcc_personality_v0
      _Unwind_RaiseException  above
      _Unwind_RaiseException_Phase2  above
      _Unwind_Resume  above
      _Unwind_Resume_or_Rethrow  above
      _Unwind_ForcedUnwind  above
      _Unwind_Backtrace
      unwind_phase2
      unwind_phase2_forced
      std::terminate  above
      std::__terminate  above
      std::unexpected  above
      std::__unexpected  above
      std::rethrow_exception  above
      std::rethrow_if_nested  above
      std::__throw_*  above
      std::__libcpp_verbose_abort  above
      std::__libcpp_abort  above
      std::__glibcxx_assert_fail  above
      std::__replacement_assert  above
      std::__throw_with_nested*  above
      std::get_new_handler
      demangling_terminate_handler  above
      default_terminate_handler  above
      default_unexpected_handler  above
      boost::throw_exception  above
      boost::throw_exception<T>  above
      boost::assertion_failed  above
      boost::assertion_failed_msg  above
      boost::exception_detail::throw_exception_<T>  above
      # Microsoft: exceptions, runtime checks
      RaiseException  above
      RaiseFailFastException  above
      RtlRaiseException  above
      RtlRaiseStatus  above
      RtlFailFast  above
      RtlFailFast2  above
      KiRaiseUserExceptionDispatcher  above
      KiUserExceptionDispatch  above
      KiUserExceptionDispatcher  above
      RtlDispatchException  above
      RtlpExecuteHandlerForException  above
      RtlpCallVectoredHandlers
      UnhandledExceptionFilter  above
      RtlUserUnhandledExceptionFilter  above
      ExecuteHandler  above
      ExecuteHandler2  above
      NtRaiseException  above
      ZwRaiseException  above
      NtRaiseHardError  above
      NtTerminateProcess  above
      ZwTerminateProcess  above
      TerminateProcess  above
      TerminateProcessStub  above
      ExitProcess
      DebugBreak  above
      DbgBreakPoint  above
      DbgUserBreakPoint  above
      _CxxThrowException  above
      CxxThrowException  above
      _com_raise_error  above
      _com_issue_error  above
      __CxxUnhandledExceptionFilter  above
      _purecall  above
      purecall  above
      _invalid_parameter  above
      _invalid_parameter_noinfo  above
      _invalid_parameter_noinfo_noreturn  above
      _invoke_watson  above
      _invoke_watson_if_error  above
      __report_gsfailure  above
      __report_rangecheckfailure  above
      __report_securityfailure  above
      __report_securityfailureEx  above
      __fastfail  above
      __security_check_cookie
      _crt_debugger_hook  above
      _call_reportfault  above
      _CrtDbgReport*  above
      _CrtDbgBreak  above
      _VCrtDbgReport*  above
      __vcrt_terminate*  above
      __FrameUnwindFilter  above
      __FrameUnwindToState
      __FrameHandler3::*
      __CxxFrameHandler*
      _CallSettingFrame
      _except_handler*
      __C_specific_handler
      _XcptFilter
      __scrt_unhandled_exception_filter  above
      terminate  above
      unexpected  above
      WerpReportFault*  above
      WerReportFault*  above
      # Apple: exceptions, crash reporting
      objc_exception_throw  above
      objc_exception_rethrow  above
      objc_terminate  above
      _objc_terminate  above
      objc_exception_throw*  above
      _objc_fatal*  above
      _objc_error  above
      _objc_inform*
      __objc_error  above
      objc_autorelease_pool_*
      __exceptionPreprocess  above
      _exceptionPreprocess  above
      -[NSException raise]  above
      +[NSException raise:format:]  above
      +[NSException raise:format:arguments:]  above
      -[NSException init*
      -[NSAssertionHandler handleFailure*  above
      _NSAssertHandler*  above
      _CFThrowFormattedException  above
      __CFThrowFormattedException  above
      -[NSObject(NSObject) doesNotRecognizeSelector:]  above
      -[NSObject doesNotRecognizeSelector:]  above
      +[NSObject(NSObject) doesNotRecognizeSelector:]  above
      -[NSOrderedSet initWithSet:copyItems:]
      ___forwarding___  above
      _forwarding_prep_0___  above
      __forwarding_prep_0___  above
      _CF_forwarding_prep_0  above
      __forwarding__  above
      ___methodDescriptionForSelector
      -[NSUndoManager(NSPrivate) _forwardTargetInvocation:]
      _CFCrashReport*
      __CFHalt  above
      CF_IS_OBJC
      _os_crash  above
      _os_crash_fmt  above
      _os_crash_impl  above
      os_crash_function  above
      __os_crash_fmt  above
      _os_assert_log  above
      _os_assumes_log  above
      _libsecinit_*  above
      _simple_asl_*
      _xpc_api_misuse  above
      _xpc_crash  above
      _dispatch_bug*  above
      _dispatch_client_assert_fail  above
      _dispatch_abort  above
      dispatch_assert_queue_fail  above
      _dispatch_assert_queue_fail  above
      DISPATCH_CLIENT_CRASH  above
      _dispatch_sema4_dispose*  above
      _NSRaiseError  above
      -[__NSCF* _cfTypeID]
      -[* _xpc_*
      +[NSApplication _crashOnException:]  above
      -[NSApplication _crashOnException:]  above
      -[NSApplication reportException:]  above
      -[NSApplication _showException:]  above
      NSKVODeallocateBreak
      UIApplicationReportException  above
      CPPExceptionTerminate  above
      __pthread_exit  above
      __abort_message  above
      __CRASHING_DUE_TO_PRIVACY_VIOLATION__  above
      __TCC_CRASHING_DUE_TO_PRIVACY_VIOLATION__*  above
      dyld4::halt  above
      dyld::halt  above
      dyld_fatal_error  above
      __dyld_fatal_error  above
      # Swift: runtime checks
      _assertionFailure*  above
      Swift._assertionFailure*  above
      closure in _assertionFailure*  above
      closure in Swift._assertionFailure*  above
      closure in closure in _assertionFailure*  above
      closure in closure in Swift._assertionFailure*  above
      _fatalErrorMessage*  above
      Swift._fatalErrorMessage*  above
      closure in _fatalErrorMessage*  above
      closure in Swift._fatalErrorMessage*  above
      fatalError(_:file:line:)  above
      Swift.fatalError*  above
      fatalError  notapp
      fatalError(*  above
      precondition(_:_:file:line:)  above
      preconditionFailure(*  above
      assert(_:_:file:line:)  above
      assertionFailure(*  above
      Swift.precondition*  above
      Swift.assert*  above
      Swift runtime failure: *  above
      Swift.Swift runtime failure: *  above
      _precondition(*
      _debugPrecondition(*
      Swift._precondition*
      Swift._debugPrecondition*
      _preconditionFailure*  above
      Swift._preconditionFailure*  above
      _undefined(*  above
      swift_unexpectedError  above
      Swift._unexpectedError*  above
      swift_errorInMain  above
      Swift._errorInMain*  above
      swift_willThrow*
      swift_throw*
      swift_abort*  above
      swift::fatalError*  above
      swift::swift_abort*  above
      swift::crash  above
      swift::warning*
      swift::swift_Concurrency_fatalError*  above
      swift_reportError  above
      swift::swift_reportToDebugger
      swift_deletedMethodError  above
      swift_deletedAsyncMethodError  above
      swift_dynamicCastFailure  above
      swift::swift_dynamicCastFailure  above
      swift_unknownObjectUnownedLoadStrong
      swift_conformsToProtocolCommon
      swift_unownedCheck
      swift::runtime::AccessSet::insert  above
      swift::swift_beginAccess
      swift::reportExclusivityConflict*  above
      reportExclusivityConflict*  above
      swift_weakLoadStrong
      swift::SwiftTLSContext*
      swift_task_reportIllegalTaskLocal*  above
      swift_task_checkIsolated*  above
      _checkExpectedExecutor*  above
      Swift._checkExpectedExecutor*  above
      swift_task_isCurrentExecutor*  above
      _diagnoseUnexpectedEnumCase*  above
      Swift._diagnoseUnexpectedEnumCase*  above
      Swift._diagnoseUnavailableCodeReached*  above
      Swift._diagnoseUnexpectedNilOptional*  above
      # Rust: panics, allocation failure
      core::panicking::*  above
      core::option::expect_failed  above
      core::option::unwrap_failed  above
      core::result::unwrap_failed  above
      core::slice::index::slice_*_fail*  above
      core::slice::index::slice_start_index_len_fail*  above
      core::slice::index::slice_end_index_len_fail*  above
      core::slice::index::slice_index_order_fail*  above
      core::slice::index::*
      core::str::slice_error_fail*  above
      core::str::traits::*
      core::cell::panic_already_*  above
      core::cell::*panic*  above
      core::num::*overflow*  above
      core::intrinsics::abort  above
      core::option::Option<T>::unwrap
      core::option::Option<T>::expect
      core::result::Result<T>::unwrap
      core::result::Result<T>::unwrap_err
      core::result::Result<T>::expect
      core::result::Result<T>::expect_err
      alloc::alloc::handle_alloc_error*  above
      alloc::raw_vec::capacity_overflow  above
      alloc::raw_vec::handle_error  above
      std::panicking::*  above
      std::panic::resume_unwind  above
      std::panic::panic_any*  above
      std::process::abort  above
      std::process::exit
      std::alloc::rust_oom  above
      std::alloc::_::__rust_alloc_error_handler  above
      std::sys::backtrace::__rust_end_short_backtrace*  above
      std::sys_common::backtrace::__rust_end_short_backtrace*  above
      std::sys::*::abort_internal  above
      std::sys::pal::unix::abort_internal  above
      std::sys::unix::abort_internal  above
      std::thread::local::panic_access_error  above
      __rust_start_panic  above
      __rust_panic_cleanup
      __rust_foreign_exception  above
      __rust_drop_panic  above
      __rust_alloc*
      __rust_dealloc
      __rust_realloc
      __rdl_*
      __rg_*
      rust_begin_unwind  above
      rust_panic  above
      rust_panic_with_hook  above
      rust_eh_personality
      # GLib, GTK, X11
      g_log  above
      g_logv  above
      g_log_default_handler  above
      g_log_writer_default  above
      g_log_writer_*  above
      g_log_structured*  above
      g_log_structured_array  above
      g_log_structured_standard  above
      _g_log_abort  above
      g_assertion_message*  above
      g_assert_warning  above
      g_on_error_query  above
      g_on_error_stack_trace  above
      g_return_if_fail_warning  above
      g_warn_message  above
      g_error_free
      g_print*
      g_logger*
      default_log_handler  notapp
      _XError  above
      _XDefaultError  above
      _XIOError  above
      _XDefaultIOError  above
      _XReply  above
      _XEventsQueued  above
      _XFlush  above
      _XReadEvents  above
      _XRead  above
      _XSend  above
      XSync
      _XSync
      gdk_x_error  above
      gdk_x_io_error  above
      _gdk_x11_error_handler  above
      gdk_x11_*error_trap*
      gdk_error_trap_pop
      gdk_error_trap_push
      handle_response  module:libX11*
      handle_error  module:libX11*
      poll_for_event  module:libX11*
      poll_for_response  module:libX11*
      process_responses  module:libX11*
      dequeue_pending_request  module:libX11*
      xcb_*
      _xcb_*
      g_type_check_instance
      g_type_check_instance_is_a
      g_type_check_instance_is_fundamentally_a
      g_type_check_instance_cast
      g_type_check_class_cast
      g_type_check_value
      g_type_check_value_holds
      g_type_check_is_value_type
      g_type_check_class_is_a
      g_type_is_a
      g_type_name_from_instance
      g_type_instance_get_private
      g_type_value_table_peek
      g_value_type_compatible
      # Qt
      qFatal  above
      qt_message_fatal  above
      qt_assert  above
      qt_assert_x  above
      QMessageLogger::fatal  above
      qt_message_output
      qAbort  above
      qTerminate  above
      qt_check_pointer  above
      qBadAlloc  above
      KCrash::*  above
      # logging and checks of well-known libraries
      logging::LogMessage::*  above
      logging::LogMessageFatal::*  above
      logging::CheckError::*  above
      logging::NotReachedError::*  above
      logging::RawLog  above
      logging::HandleCheckErrorLogMessage  above
      base::debug::BreakDebugger*  above
      base::debug::CollectStackTrace
      base::debug::StackTrace::*
      base::debug::DumpWithoutCrashing*  above
      base::ImmediateCrash  above
      base::internal::CrashImmediately  above
      base::internal::OnNoMemoryInternal  above
      base::TerminateBecauseOutOfMemory  above
      base::internal::check_is_test_impl  above
      google::LogMessage::*  above
      google::LogMessageFatal::*  above
      google::LogDestination::*  above
      google::DumpStackTraceAndExit  above
      google::FailureSignalHandler  above
      google::base::CheckOpMessageBuilder::*  above
      absl::log_internal::*  above
      absl::raw_log_internal::*  above
      absl::*::base_internal::*  above
      absl::base_internal::RawLog*  above
      folly::detail::*_fatal*  above
      WTFCrash*  above
      WTFReportAssertionFailure*  above
      CrashOnOverflow::*  above
      v8::base::OS::Abort  above
      V8_Fatal  above
      v8::internal::V8::FatalProcessOutOfMemory  above
      v8::Utils::ReportOOMFailure  above
      v8::internal::V8_Fatal  above
      node::Abort  above
      node::Assert  above
      node::OnFatalError  above
      node::OOMErrorHandler  above
      MOZ_Crash*  above
      MOZ_CrashPrintf  above
      mozalloc_abort*  above
      mozalloc_handle_oom  above
      NS_DebugBreak  above
      mozilla::detail::InvalidArrayIndex_CRASH  above
      CRYPTO_assert_abort  above
      OPENSSL_die  above
      # crash reporters
      google_breakpad::*  above
      crashpad::*  above
      sentry_*  above
      sentry__*  above
      sentrycrash*  above
      SentryCrash*  above
      sentry::*  above
      kscrash*  above
      kscm_*  above
      ksmc_*  above
      bsg_*  above
      BSG_KSCrash*  above
      plcrash_*  above
      plcrash::*  above
      PLCrash*  above
      uncaught_exception_handler  notapp
      FIRCLS*  above
      CLSProcessRecordAllThreads  above
      bd_crash*  above
      backtrace  notapp
      backtrace_symbols*  notapp
      __backtrace  notapp
      CPPHandleCrash  above
      MSACCrashes*  above
      NRMACrash*  above
      CrashReporter::*
      art::Runtime::Abort  above
      art::Runtime::Aborter  above
      art::Thread::AssertNoPendingException  above
      art::LogMessage::*  above
      art::JavaVMExt::JniAbort*  above
      art::(anonymous namespace)::CheckJNI::*  above
      art::JNI<T>::FatalError  above
      android::base::LogMessage::*  above
      android::base::DefaultAborter  above
      android::base::SetAborter*  above
      debuggerd_signal_handler  above
      art_sigsegv_fault  above
      art_quick_throw_*  above
      artThrow*  above
      # Java, Kotlin
      java.lang.Throwable.*  above
      java.lang.Exception.<init>  above
      java.lang.RuntimeException.<init>  above
      java.lang.Error.<init>  above
      java.lang.*Exception.<init>  above
      java.lang.*Error.<init>  above
      java.lang.NumberFormatException.forInputString  above
      java.util.Objects.requireNonNull*  above
      java.util.Objects.checkIndex  above
      java.util.Objects.checkFromToIndex  above
      java.util.Objects.outOfBounds*  above
      jdk.internal.util.Preconditions.*  above
      java.lang.StringIndexOutOfBoundsException.*  above
      kotlin.jvm.internal.Intrinsics.*  above
      kotlin.ExceptionsKt*  above
      kotlin.ResultKt.throwOnFailure  above
      com.google.common.base.Preconditions.*  above
      com.google.common.base.Verify.*  above
      org.apache.commons.lang.Validate.*  above
      org.apache.commons.lang3.Validate.*  above
      com.google.android.gms.common.internal.Preconditions.*  above
      android.os.Parcel.createException*  above
      android.os.Parcel.readException*  above
      android.os.StrictMode*
      androidx.core.util.Preconditions.*  above
      androidx.media3.common.util.Assertions.*  above
      org.junit.Assert.*  above
      org.junit.jupiter.api.Assertions.*  above
      org.junit.jupiter.api.Assert*  above
      junit.framework.Assert.*  above
      junit.framework.TestCase.fail*  above
      junit.framework.TestCase.assert*  above
      org.hamcrest.MatcherAssert.*  above
      org.springframework.util.Assert.*  above
      # .NET
      System.ThrowHelper.*  above
      System.Environment.FailFast  above
      System.Environment.ThrowOutOfRange*  above
      System.Diagnostics.Debug.Fail*  above
      System.Diagnostics.Debug.Assert*  above
      System.Diagnostics.Debug.*  above
      System.Diagnostics.DebugProvider.*  above
      System.Diagnostics.Trace*.Fail*  above
      System.ArgumentNullException.Throw*  above
      System.ArgumentOutOfRangeException.Throw*  above
      System.ArgumentException.Throw*  above
      System.ObjectDisposedException.ThrowIf  above
      System.Runtime.ExceptionServices.ExceptionDispatchInfo.*
      System.Runtime.CompilerServices.TaskAwaiter.ThrowForNonSuccess
      System.Runtime.CompilerServices.TaskAwaiter.HandleNonSuccess*
      System.Runtime.CompilerServices.RuntimeHelpers.*
      Internal.Runtime.CompilerHelpers.ThrowHelpers.*  above
      # Go
      panic  module:go
      runtime.gopanic  above
      runtime.panic*  above
      runtime.throw  above
      runtime.fatal*  above
      runtime.sigpanic  above
      runtime.goPanic*  above
      runtime.dopanic*  above
      runtime.sigtramp*  above
      runtime.raise*  above
      runtime.crash  above
      # Python, Ruby and other interpreters inside a native process
      Py_FatalError*  above
      _Py_FatalError*  above
      fatal_error  module:libpython*
      rb_bug  above
      rb_fatal  above
      rb_assert_failure  above
      lua_error  above
      luaG_*error*  above
      luaD_throw  above
      # XNU: panics and its debugger
      panic  above  module:kernel
      panic_trap*  above  module:kernel
      panic_with_*  above  module:kernel
      panic_kernel*  above  module:kernel
      panic_64  above  module:kernel
      panic_32  above  module:kernel
      panic_double_fault*  above  module:kernel
      panic_plain*  above  module:kernel
      IOPanic*  above  module:kernel
      Assert  above  module:kernel
      assfail*  above  module:kernel
      Debugger*  above  module:kernel
      handle_debugger_trap  above  module:kernel
      debugger_collect_diagnostics  above  module:kernel
      kdp_*  above  module:kernel
      ml_panic_trap_to_debugger  above  module:kernel
      kasan_report*  above  module:kernel
      kasan_crash_report  above  module:kernel
      kasan_violation*  above  module:kernel
      zone_*_panic*  above  module:kernel
      # XNU: traps, through which calls into the kernel go as well
      kernel_trap  module:kernel
      kernel_debugger_trap*  module:kernel
      user_trap  module:kernel
      trap_from_kernel  module:kernel
      return_from_trap*  module:kernel
      hndl_alltraps*  module:kernel
      hndl_double_fault*  module:kernel
      lo_alltraps*  module:kernel
      ks_*fault*  module:kernel
      fleh_*  module:kernel
      sleh_*  module:kernel
      handle_kernel_abort*  module:kernel
      handle_kernel_breakpoint*  module:kernel
      handle_uncategorized*  module:kernel
      handle_abort*  module:kernel
      # checks and fuzzers, as tools name them that know no classes
      ~CheckLogMessage  above
      ~CheckError  above
      ~LogMessage  above
      ~LogMessageFatal  above
      *::CheckLogMessage::~CheckLogMessage  above
      SkAbort_FileLine  above
      ExitCallback  notapp
      CrashCallback  notapp
      AlarmCallback  notapp
      libfuzzer_sys::initialize::*  above
      v8::internal::__RT_impl_Runtime_AbortJS  above
      v8::internal::Runtime_AbortJS  above
      v8::internal::Isolate::PushStackTraceAndDie*  above
      blink::ReportV8FatalError  above
      """)
}
