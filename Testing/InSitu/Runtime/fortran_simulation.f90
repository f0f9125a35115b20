! SPDX-License-Identifier: BSD-3-Clause
!> A simulation in Fortran: 5 steps of particles and of a field with one block. test_fortran.py reads what analytics got.
subroutine twice(data) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  type(c_ptr), value :: data
  integer(c_int), pointer :: number
  call c_f_pointer(data, number)
  number = 2 * number
end subroutine

function same(data) bind(c) result(copy)
  use, intrinsic :: iso_c_binding
  implicit none
  type(c_ptr), value :: data
  type(c_ptr) :: copy
  copy = data
end function

subroutine let_go(copy) bind(c)
  use, intrinsic :: iso_c_binding
  implicit none
  type(c_ptr), value :: copy
  integer(c_int), pointer :: number
  call c_f_pointer(copy, number)
  number = number + 1
end subroutine

program fortran_simulation
  use mpi
  use rivulet_insitu
  implicit none
  interface
    subroutine twice(data) bind(c)
      import :: c_ptr
      type(c_ptr), value :: data
    end subroutine
    function same(data) bind(c) result(copy)
      import :: c_ptr
      type(c_ptr), value :: data
      type(c_ptr) :: copy
    end function
    subroutine let_go(copy) bind(c)
      import :: c_ptr
      type(c_ptr), value :: copy
    end subroutine
  end interface
  integer, parameter :: n = 1000
  type(c_ptr) :: insitu
  integer(c_int) :: code
  integer(c_int), target :: number = 21
  integer :: provided, ierror, i
  integer(c_int64_t) :: step
  real(c_double), target :: x(n), y(n), z(n)
  real(c_float), target :: pressure(4, 3, 2)
  character(len=6, kind=c_char), target :: atoms = "atoms" // c_null_char
  character(len=5, kind=c_char), target :: flow = "flow" // c_null_char
  character(len=6, kind=c_char), target :: thing = "thing" // c_null_char
  type(rivulet_particles) :: particles
  type(rivulet_field) :: field
  type(rivulet_object) :: object
  integer(c_int), target :: released = 0
  type(rivulet_variable), target :: variables(1)
  type(rivulet_block), target :: blocks(1)
  type(c_ptr), target :: values(1)
  character(len=1000) :: config
  type cell
    sequence
    real(c_double) :: heat, density, pressure
  end type
  type(cell), target :: cells(4, 3, 2)
  integer(c_int64_t), target :: lengths(1)

  call mpi_init_thread(mpi_thread_multiple, provided, ierror)
  call get_command_argument(1, config)
  code = rivulet_insitu_initialize(trim(config) // c_null_char, mpi_comm_world, insitu)
  if (code /= rivulet_ok) error stop "initialize"
  code = rivulet_insitu_run(insitu, c_funloc(twice), c_loc(number))
  if (code /= rivulet_ok .or. number /= 42) error stop "run"
  call discard_structures()
  do step = 0, 4
    if (rivulet_insitu_wants(insitu, step) /= 1) error stop "wants"
    x = [(real(i + step, c_double), i = 1, n)]
    y = 2 * x
    z = 3 * x
    pressure = real(step, c_float)
    particles%name = c_loc(atoms)
    particles%count = n
    particles%x = c_loc(x)
    particles%y = c_loc(y)
    particles%z = c_loc(z)
    particles%high = 1
    if (rivulet_insitu_publish_particles(insitu, particles) /= rivulet_ok) error stop "particles"
    values(1) = c_loc(pressure)
    variables(1) = rivulet_variable(c_loc(flow), rivulet_float32, 1)
    blocks(1)%cells = [4, 3, 2]
    blocks(1)%data = c_loc(values)
    field%name = c_loc(flow)
    field%cells = [4, 3, 2]
    field%variables = 1
    field%variable = c_loc(variables)
    field%blocks = 1
    field%block = c_loc(blocks)
    if (rivulet_insitu_publish_field(insitu, field) /= rivulet_ok) error stop "field"
    object%name = c_loc(thing)
    object%type = c_loc(flow)
    object%data = c_loc(released)
    object%clone = c_funloc(same)
    object%release = c_funloc(let_go)
    if (rivulet_insitu_publish_object(insitu, object) /= rivulet_ok) error stop "object"
    if (rivulet_insitu_execute(insitu, step, 0.5_c_double * step) /= rivulet_ok) error stop "execute"
  end do
  if (rivulet_insitu_after_parallel(insitu) /= rivulet_error_order) error stop "order"
  if (index(rivulet_insitu_text(insitu), "without rivulet_insitu_before_parallel") == 0) error stop "text"
  if (rivulet_insitu_finalize(insitu) /= rivulet_ok .or. c_associated(insitu)) error stop "finalize"
  call get_command_argument(2, config)
  if (trim(config) /= achar(iachar("0") + released)) error stop "released" ! copies are made beside the simulation alone
  call mpi_finalize(ierror)

contains

  !> A member of structures, with lengths as the module describes them. The step is begun anew.
  subroutine discard_structures()
    type(rivulet_variable), target :: one(1)
    type(rivulet_block), target :: block(1)
    type(rivulet_field) :: cells_of_structures
    one(1) = rivulet_variable(c_loc(flow), rivulet_float64, 1, stride=storage_size(cells) / 8)
    values(1) = c_loc(cells(1, 1, 1)%pressure)
    lengths(1) = size(cells, kind=c_int64_t) * one(1)%stride / c_sizeof(cells(1, 1, 1)%pressure)
    block(1) = rivulet_block(cells=[4, 3, 2], data=c_loc(values), size=c_loc(lengths))
    cells_of_structures = rivulet_field(name=c_loc(flow), cells=[4, 3, 2], variables=1, variable=c_loc(one), blocks=1, &
      block=c_loc(block))
    if (rivulet_insitu_publish_field(insitu, cells_of_structures) /= rivulet_ok) error stop "structures"
    if (rivulet_insitu_publish_field(insitu, cells_of_structures) /= rivulet_error_data) error stop "twice"
    if (rivulet_insitu_discard(insitu) /= rivulet_ok) error stop "discard"
    lengths(1) = size(cells, kind=c_int64_t)
    if (rivulet_insitu_publish_field(insitu, cells_of_structures) /= rivulet_error_data) error stop "too short"
    if (rivulet_insitu_discard(insitu) /= rivulet_ok) error stop "discard again"
  end subroutine
end program
