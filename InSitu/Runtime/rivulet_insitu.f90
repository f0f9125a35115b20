! SPDX-License-Identifier: BSD-3-Clause
!> \file
!! The functions of rivulet_insitu.h for simulations in Fortran. Compile this file with the simulation, and link
!! librivulet_insitu (Documentation/couple-fortran.md):
!!
!!     use rivulet_insitu
!!     type(c_ptr) :: insitu
!!     integer(c_int) :: code
!!     code = rivulet_insitu_initialize("insitu.json" // c_null_char, mpi_comm_world, insitu)
!!     ...
!!     if (rivulet_insitu_wants(insitu, step) == 1) then
!!       code = rivulet_insitu_publish_particles(insitu, particles)
!!       code = rivulet_insitu_execute(insitu, step, time)
!!     end if
!!     ...
!!     code = rivulet_insitu_finalize(insitu)
!!
!! Structures, codes, threads and ownership are those of the C headers. Members that are not set have their defaults.
!! Names are c_loc() of a text that ends with c_null_char. Arrays are c_loc() of an array with the target attribute; an
!! array that is not contiguous has its distance in bytes in the member `stride`. Text stays the caller's.
!! Lengths that are checked (`size`) count values of the underlying array: size(a, kind=c_int64_t) of a packed one, and
!! size(a, kind=c_int64_t) * stride / (bytes of a value) of one with a stride; 0: unknown.
!! Indices that the structures hold (`begin`, `offset`, `connectivity`) count from 0.
module rivulet_insitu
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: rivulet_ok = 0, rivulet_skipped = 1, rivulet_error_config = -1, &
    rivulet_error_order = -2, rivulet_error_data = -3, rivulet_error_memory = -4, rivulet_error_mpi = -5, &
    rivulet_error_hangs = -6
  integer(c_int32_t), parameter :: rivulet_float32 = 1, rivulet_float64 = 2, rivulet_int32 = 3, rivulet_int64 = 4, &
    rivulet_uint8 = 5
  integer(c_int32_t), parameter :: rivulet_cells = 1, rivulet_nodes = 2
  integer(c_int32_t), parameter :: rivulet_no_ghosts = -1

  type, bind(c) :: rivulet_array
    type(c_ptr) :: name = c_null_ptr
    integer(c_int32_t) :: type = 0, components = 0
    type(c_ptr) :: data = c_null_ptr
    integer(c_int64_t) :: stride = 0 !< bytes; 0: packed
    integer(c_int64_t) :: size = 0   !< values from `data` on, those between elements included; 0: unknown
  end type

  type, bind(c) :: rivulet_particles
    type(c_ptr) :: name = c_null_ptr
    integer(c_int64_t) :: count = 0
    type(c_ptr) :: id = c_null_ptr, type = c_null_ptr
    type(c_ptr) :: x = c_null_ptr, y = c_null_ptr, z = c_null_ptr
    type(c_ptr) :: vx = c_null_ptr, vy = c_null_ptr, vz = c_null_ptr
    integer(c_int32_t) :: arrays = 0
    type(c_ptr) :: array = c_null_ptr !< c_loc() of an array of rivulet_array
    real(c_double) :: low(3) = 0, high(3) = 0
    integer(c_int32_t) :: periodic(3) = 0
    integer(c_int32_t) :: real = 0       !< type of x to vz; 0: rivulet_float64
    integer(c_int64_t) :: stride = 0     !< bytes from a particle to the next one in x to vz; 0: packed
    integer(c_int64_t) :: tag_stride = 0 !< the same in id and type
  end type

  type, bind(c) :: rivulet_variable
    type(c_ptr) :: name = c_null_ptr
    integer(c_int32_t) :: type = 0, components = 0
    integer(c_int32_t) :: separate = 0 !< 1: an array for each component, as in velocity(nx, ny, nz, 3)
    integer(c_int64_t) :: stride = 0   !< bytes from a cell to the next one; 0: packed
  end type

  type, bind(c) :: rivulet_block
    integer(c_int32_t) :: level = 0
    integer(c_int64_t) :: begin(3) = 0, cells(3) = 0 !< `begin` counts from 0
    integer(c_int32_t) :: ghosts(3) = 0
    type(c_ptr) :: data = c_null_ptr !< c_loc() of an array of type(c_ptr): one for each variable, or separate component
    integer(c_int32_t) :: ghosts_above(3) = 0 !< 0: as `ghosts`; rivulet_no_ghosts: none
    type(c_ptr) :: size = c_null_ptr   !< c_loc() of an array of integer(c_int64_t): a length for each pointer of `data`
    type(c_ptr) :: points = c_null_ptr !< c_loc() of an array of type(c_ptr)
  end type

  type, bind(c) :: rivulet_field
    type(c_ptr) :: name = c_null_ptr
    integer(c_int32_t) :: centring = rivulet_cells
    real(c_double) :: origin(3) = 0, spacing(3) = 1
    integer(c_int64_t) :: cells(3) = 0
    integer(c_int32_t) :: levels = 1
    type(c_ptr) :: ratio = c_null_ptr
    integer(c_int32_t) :: variables = 0
    type(c_ptr) :: variable = c_null_ptr !< c_loc() of an array of rivulet_variable
    integer(c_int32_t) :: blocks = 0
    type(c_ptr) :: block = c_null_ptr !< c_loc() of an array of rivulet_block
    type(c_ptr) :: coordinates(3) = c_null_ptr !< c_loc() of arrays of real(c_double)
    type(c_ptr) :: points = c_null_ptr !< c_loc() of a rivulet_variable
  end type

  type, bind(c) :: rivulet_mesh
    type(c_ptr) :: name = c_null_ptr
    integer(c_int32_t) :: real = 0, index = 0
    integer(c_int64_t) :: points = 0
    type(c_ptr) :: point = c_null_ptr !< c_loc() of point(3, points)
    integer(c_int64_t) :: cells = 0
    type(c_ptr) :: type = c_null_ptr !< c_loc() of an array of integer(c_int8_t)
    type(c_ptr) :: offset = c_null_ptr, connectivity = c_null_ptr
    integer(c_int32_t) :: point_arrays = 0
    type(c_ptr) :: at_point = c_null_ptr !< c_loc() of an array of rivulet_array
    integer(c_int32_t) :: cell_arrays = 0
    type(c_ptr) :: at_cell = c_null_ptr
    type(c_ptr) :: ghost_cells = c_null_ptr !< c_loc() of an array of integer(c_int8_t)
  end type

  type, bind(c) :: rivulet_object
    type(c_ptr) :: name = c_null_ptr, type = c_null_ptr
    type(c_ptr) :: data = c_null_ptr
    type(c_funptr) :: clone = c_null_funptr, release = c_null_funptr !< c_funloc() of functions with bind(c)
  end type

  interface
    integer(c_int) function rivulet_insitu_initialize(config, comm, insitu) bind(c, name="rivulet_insitu_initialize_f")
      import :: c_int, c_char, c_ptr
      character(kind=c_char), intent(in) :: config(*)
      integer, value :: comm !< of the module mpi; of mpi_f08: comm%mpi_val
      type(c_ptr), intent(out) :: insitu
    end function

    integer(c_int) function rivulet_insitu_wants(insitu, step) bind(c)
      import :: c_int, c_ptr, c_int64_t
      type(c_ptr), value :: insitu
      integer(c_int64_t), value :: step
    end function

    !> `name` ends with c_null_char. Without `variable`: any.
    integer(c_int) function rivulet_insitu_wants_data(insitu, step, name, variable) bind(c)
      import :: c_int, c_ptr, c_int64_t, c_char
      type(c_ptr), value :: insitu
      integer(c_int64_t), value :: step
      character(kind=c_char), intent(in) :: name(*)
      character(kind=c_char), intent(in), optional :: variable(*)
    end function

    integer(c_int) function rivulet_insitu_publish_particles(insitu, particles) bind(c)
      import :: c_int, c_ptr, rivulet_particles
      type(c_ptr), value :: insitu
      type(rivulet_particles), intent(in) :: particles
    end function

    integer(c_int) function rivulet_insitu_publish_field(insitu, field) bind(c)
      import :: c_int, c_ptr, rivulet_field
      type(c_ptr), value :: insitu
      type(rivulet_field), intent(in) :: field
    end function

    integer(c_int) function rivulet_insitu_publish_mesh(insitu, mesh) bind(c)
      import :: c_int, c_ptr, rivulet_mesh
      type(c_ptr), value :: insitu
      type(rivulet_mesh), intent(in) :: mesh
    end function

    integer(c_int) function rivulet_insitu_publish_object(insitu, object) bind(c)
      import :: c_int, c_ptr, rivulet_object
      type(c_ptr), value :: insitu
      type(rivulet_object), intent(in) :: object
    end function

    integer(c_int) function rivulet_insitu_execute(insitu, step, time) bind(c)
      import :: c_int, c_ptr, c_int64_t, c_double
      type(c_ptr), value :: insitu
      integer(c_int64_t), value :: step
      real(c_double), value :: time
    end function

    !> Forgets what was published since the last execute.
    integer(c_int) function rivulet_insitu_discard(insitu) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: insitu
    end function

    !> `body`: c_funloc() of a subroutine with bind(c) and one argument, type(c_ptr), value.
    integer(c_int) function rivulet_insitu_run(insitu, body, data) bind(c)
      import :: c_int, c_ptr, c_funptr
      type(c_ptr), value :: insitu
      type(c_funptr), value :: body
      type(c_ptr), value :: data
    end function

    integer(c_int) function rivulet_insitu_before_parallel(insitu) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: insitu
    end function

    integer(c_int) function rivulet_insitu_after_parallel(insitu) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), value :: insitu
    end function

    integer(c_int) function rivulet_insitu_finalize(insitu) bind(c)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: insitu
    end function

    !> A text of C. rivulet_insitu_text() gives it as one of Fortran.
    type(c_ptr) function rivulet_insitu_message(insitu) bind(c)
      import :: c_ptr
      type(c_ptr), value :: insitu
    end function
  end interface

contains

  !> Text of the last error or warning; empty if there was none.
  function rivulet_insitu_text(insitu) result(text)
    type(c_ptr), value :: insitu
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: length
    call c_f_pointer(rivulet_insitu_message(insitu), letters, [huge(0)])
    length = 0
    do while (letters(length + 1) /= c_null_char)
      length = length + 1
    end do
    allocate (character(len=length) :: text)
    text = transfer(letters(1:length), text)
  end function
end module
